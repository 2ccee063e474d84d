#!/bin/bash
# Puts Debian's tesseract with its English and German data into DIR/tesseract, without installing it in the system.
#
#     tesseract.sh DIR
#
# The first run fetches it (apt and dpkg are needed; half a minute). Prints the path of the program.
set -euo pipefail
mkdir -p "$1/tesseract"
dir=$(cd "$1/tesseract" && pwd)
if [ ! -x "$dir/tesseract" ]; then
  mkdir -p "$dir/debs"
  cd "$dir/debs"
  missing() { apt-get install -s --no-install-recommends tesseract-ocr tesseract-ocr-deu | awk '/^Inst/ {print $2}'; }
  if ! packages=$(missing); then
    apt-get update >&2
    packages=$(missing)
  fi
  # Where the system has it already, its own packages are enough.
  # shellcheck disable=SC2086
  [ -z "$packages" ] || apt-get download $packages >&2
  for deb in "$dir"/debs/*.deb; do [ ! -f "$deb" ] || dpkg -x "$deb" "$dir/root"; done
  cd "$dir"
  rm -r "$dir/debs"
  if [ -x "$dir/root/usr/bin/tesseract" ]; then
    libraries=$(dirname "$(find "$dir/root/usr/lib" -name 'libtesseract.so.*' | head -1)")
    data=$(dirname "$(find "$dir/root/usr/share" -name eng.traineddata)")
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%q TESSDATA_PREFIX=%q exec %q "$@"\n' \
      "$libraries" "$data" "$dir/root/usr/bin/tesseract" >"$dir/program"
  else
    printf '#!/bin/sh\nexec %q "$@"\n' "$(command -v tesseract)" >"$dir/program"
  fi
  chmod +x "$dir/program"
  "$dir/program" --version >&2
  mv "$dir/program" "$dir/tesseract"
fi
echo "$dir/tesseract"
