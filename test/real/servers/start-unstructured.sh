#!/bin/bash
# Serves Unstructured's engine on 127.0.0.1 behind the wire format of the vendor's server.
#
#     start-unstructured.sh DIR PORT
#
# The first run installs it into DIR (Python 3 is needed; about three minutes, 1.5 GB); later runs only start it.
# Prints the server's pid; its log is DIR/unstructured.log. Stop it with: kill PID
# It has no layout models: callers must send strategy=fast.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/unstructured"
dir=$(cd "$1" && pwd)
port=$2
home="$dir/unstructured"
if [ ! -f "$home/installed" ]; then
  python3 -m venv "$home/venv"
  "$home/venv/bin/pip" install -q "unstructured[csv,docx,epub,md,odt,org,pptx,rtf,rst,tsv,xlsx]==0.22.12" \
    fastapi python-multipart uvicorn pypdf pdfminer.six pikepdf pi-heif pdf2image onnx onnxruntime \
    opencv-python-headless huggingface_hub matplotlib scipy pypdfium2 >&2
  "$home/venv/bin/pip" install -q --no-deps unstructured-inference==1.6.9 >&2
  (cd "$home" && "$home/venv/bin/python" "$here/plain_language_model.py")
  touch "$home/installed"
fi
cd "$home"
DO_NOT_TRACK=1 HF_HUB_OFFLINE=1 nohup "$home/venv/bin/python" "$here/unstructured_server.py" "$port" \
  >"$dir/unstructured.log" 2>&1 &
pid=$!
until curl -fs "http://127.0.0.1:$port/healthcheck" >/dev/null; do
  kill -0 "$pid" || { tail "$dir/unstructured.log" >&2; exit 1; }
  sleep 0.3
done
echo "$pid"
