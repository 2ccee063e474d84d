#!/bin/bash
# Serves the models of make-models.py on 127.0.0.1 behind OpenAI's wire format: llama-cpp-python.
#
#     start-llama-cpp.sh DIR PORT
#
# The first run builds it into DIR (Python 3, CMake and a C++ compiler are needed; about four CPU minutes); later runs
# only start it. Prints the server's pid; its log is DIR/llama-cpp.log. Stop it with: kill PID
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
port=$2
if [ ! -f "$dir/llama-cpp/installed" ]; then
  python3 -m venv "$dir/llama-cpp"
  # The library alone: the package ships no more of what it builds otherwise, but for what sees pictures.
  export CMAKE_ARGS="-DLLAVA_BUILD=OFF -DCMAKE_PROJECT_llama.cpp_INCLUDE='$here/library-alone.cmake' \
    -DCMAKE_C_FLAGS_RELEASE=-O2 -DCMAKE_CXX_FLAGS_RELEASE=-O2"
  CMAKE_BUILD_PARALLEL_LEVEL=2 nice -n 10 "$dir/llama-cpp/bin/pip" install -q 'llama-cpp-python[server]==0.3.36' >&2
  touch "$dir/llama-cpp/installed"
fi
"$here/make-models.sh" "$dir"

model() { # NAME CONTEXT EMBEDS
  echo "{\"model\": \"$dir/models/$1.gguf\", \"model_alias\": \"$1\", \"n_ctx\": $2, \"embedding\": $3,
    \"n_threads\": 1, \"n_threads_batch\": 1, \"verbose\": false}"
}
# A second request would otherwise cut the first one short.
cat >"$dir/llama-cpp.json" <<END
{"host": "127.0.0.1", "port": $port, "interrupt_requests": false, "models": [
  $(model parrot 4096 false), $(model thinker 4096 false), $(model babble 4096 false), $(model minilm 512 true)]}
END
nohup "$dir/llama-cpp/bin/python" -m llama_cpp.server --config_file "$dir/llama-cpp.json" >"$dir/llama-cpp.log" 2>&1 &
pid=$!
until curl -fs "http://127.0.0.1:$port/v1/models" >/dev/null; do
  kill -0 "$pid" || { tail "$dir/llama-cpp.log" >&2; exit 1; }
  sleep 0.2
done
echo "$pid"
