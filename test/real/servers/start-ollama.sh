#!/bin/bash
# Serves a real Ollama on 127.0.0.1 with the small models of make-models.py.
#
#     start-ollama.sh DIR PORT
#
# The first run builds it into DIR (Go, a C++ compiler, Python 3 and apt are needed; about five minutes) and makes the
# models; later runs only start it. Prints the server's pid; its log is DIR/ollama.log. Stop it with: kill PID
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
port=$2
version=v0.17.4
miniaudio=github.com/gen2brain/malgo@v0.11.24

if [ ! -x "$dir/bin/ollama" ]; then
  # A Go module leaves out folders named vendor, and with them three header libraries of Ollama's llama.cpp.
  mkdir -p "$dir/headers/miniaudio" "$dir/debs"
  (cd "$dir/debs" && (apt-get download nlohmann-json3-dev libstb-dev >&2 ||
    (apt-get update >&2 && apt-get download nlohmann-json3-dev libstb-dev >&2)))
  for deb in "$dir"/debs/*.deb; do dpkg -x "$deb" "$dir/debs/out"; done
  cp -r "$dir"/debs/out/usr/include/{nlohmann,stb} "$dir/headers/"
  source=$(go mod download -json "$miniaudio" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  install -m 644 "$source/miniaudio.h" "$dir/headers/miniaudio/"
  # Without -march the CPU code falls back to plain SSE2.
  flags="-O3"
  [ "$(uname -m)" = x86_64 ] && flags="$flags -march=x86-64-v3"
  GOBIN="$dir/bin" CGO_ENABLED=1 CGO_CFLAGS="$flags" CGO_CXXFLAGS="$flags -I$dir/headers" \
    nice -n 10 go install -ldflags "-X=github.com/ollama/ollama/version.Version=${version#v}" \
    "github.com/ollama/ollama@$version" >&2
fi
"$here/make-models.sh" "$dir"

export HOME="$dir" OLLAMA_HOST="127.0.0.1:$port" OLLAMA_MODELS="$dir/store" OLLAMA_NO_CLOUD=1
nohup "$dir/bin/ollama" serve >"$dir/ollama.log" 2>&1 &
pid=$!
until curl -fs "http://$OLLAMA_HOST/api/version" >/dev/null; do
  kill -0 "$pid" || { tail "$dir/ollama.log" >&2; exit 1; }
  sleep 0.2
done
for name in minilm parrot thinker babble; do
  "$dir/bin/ollama" show "$name" >/dev/null 2>&1 ||
    "$dir/bin/ollama" create "$name" -f "$dir/models/$name.Modelfile" >>"$dir/create.log" 2>&1
done
echo "$pid"
