#!/bin/bash
# Puts MCP clients of other makers into DIR/mcp-clients: Python's mcp and fastmcp, the Inspector and the first TypeScript
# SDK.
#
#     mcp-clients.sh DIR
#
# The first run installs them (Python 3 with venv and npm are needed; two minutes). Prints the folder.
set -euo pipefail
mkdir -p "$1/mcp-clients"
dir=$(cd "$1/mcp-clients" && pwd)
if [ ! -e "$dir/ready" ]; then
  python3 -m venv "$dir/python" >&2
  "$dir/python/bin/pip" install --quiet mcp==2.3.0 fastmcp==4.2.3 >&2
  cd "$dir"
  echo '{"private": true}' >package.json
  npm install --ignore-scripts --no-audit --no-fund @modelcontextprotocol/inspector@2.12.0 @modelcontextprotocol/sdk@1.32.2 >&2
  touch "$dir/ready"
fi
echo "$dir"
