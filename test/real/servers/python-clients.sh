#!/bin/bash
# Puts OpenAI's clients for Python, and LiteLLM, into DIR/python-clients. Prints the path of the Python that has them.
#
#     python-clients.sh DIR
set -euo pipefail
mkdir -p "$1"
dir=$(cd "$1" && pwd)/python-clients
if [ ! -e "$dir/ready-with-litellm" ]; then
  python3 -m venv "$dir" >&2
  "$dir/bin/pip" install --quiet openai==3.57.0 langchain-openai==1.7.4 litellm==1.110.2 >&2
  touch "$dir/ready-with-litellm"
fi
echo "$dir/bin/python"
