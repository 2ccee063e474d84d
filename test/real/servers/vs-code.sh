#!/bin/bash
# Puts VS Code into DIR/vs-code: code-server, which serves its workbench to a browser, and the Node.js that it needs.
#
#     vs-code.sh DIR
#
# The first run installs both from npm (two minutes, 1 GB). Prints the folder: bin/node runs code-server/out/node/entry.js.
set -euo pipefail
mkdir -p "$1/vs-code"
dir=$(cd "$1/vs-code" && pwd)
if [ ! -e "$dir/ready" ]; then
  cd "$dir"
  rm -rf bin code-server
  case "$(uname -m)" in x86_64) machine=x64 ;; *) machine=arm64 ;; esac
  npm pack --silent "node-linux-$machine@24.21.0" code-server@4.139.1 >&2
  mkdir code-server
  tar --extract --gzip --file node-linux-*.tgz --strip-components=1 package/bin
  tar --extract --gzip --file code-server-*.tgz --strip-components=1 --directory code-server
  rm ./*.tgz
  # Its own Node.js first; what it would compile, such as terminals and logs, is done without.
  for folder in code-server code-server/lib/vscode code-server/lib/vscode/extensions; do
    (cd "$folder" && PATH="$dir/bin:$PATH" npm install --omit=dev --ignore-scripts --no-audit --no-fund >&2)
  done
  touch "$dir/ready"
fi
echo "$dir"
