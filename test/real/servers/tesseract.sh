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
  program=$dir/root/usr/bin/tesseract
  [ -x "$program" ] || program=$(command -v tesseract)
  library=$(find "$dir/root/usr/lib" -name 'libtesseract.so.*' 2>/dev/null | head -1 || true)
  # One folder of data, whichever languages the system had already.
  mkdir -p "$dir/tessdata"
  {
    dpkg -L tesseract-ocr-eng tesseract-ocr-deu 2>/dev/null | grep '/tessdata$' || true
    find "$dir/root" -type d -name tessdata 2>/dev/null || true
  } | while read -r data; do ln -sf "$data"/* "$dir/tessdata/"; done
  printf '#!/bin/sh\nLD_LIBRARY_PATH=%q TESSDATA_PREFIX=%q exec %q "$@"\n' \
    "${library:+$(dirname "$library")}" "$dir/tessdata" "$program" >"$dir/program"
  chmod +x "$dir/program"
  "$dir/program" --list-langs | grep -qx deu
  "$dir/program" --version >&2
  mv "$dir/program" "$dir/tesseract"
fi
echo "$dir/tesseract"
