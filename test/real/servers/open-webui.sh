#!/bin/bash
# Puts Open WebUI into DIR/open-webui, without the packages that run models in its own process.
#
#     open-webui.sh DIR
#
# The first run installs it (Python 3.11 with venv is needed; two minutes, 1 GB). Prints the path of the program.
set -euo pipefail
mkdir -p "$1/open-webui"
dir=$(cd "$1/open-webui" && pwd)
if [ ! -e "$dir/ready" ]; then
  python3.11 -m venv "$dir/uv" >&2
  "$dir/uv/bin/pip" install --quiet uv==0.13.9 >&2
  "$dir/uv/bin/uv" venv --quiet --clear --python 3.11 "$dir/venv" >&2
  printf '%s ; python_version < "3"\n' torch torchvision sentence-transformers transformers accelerate faster-whisper \
    opencv-python-headless rapidocr colbert-ai >"$dir/left-out.txt"
  "$dir/uv/bin/uv" pip install --quiet --compile-bytecode --python "$dir/venv/bin/python" --override "$dir/left-out.txt" \
    open-webui==0.12.4 >&2
  touch "$dir/ready"
fi
echo "$dir/venv/bin/open-webui"
