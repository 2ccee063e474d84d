#!/bin/bash
# Puts generators of clients into DIR/generators, and what their clients need: openapi-typescript, @hey-api/openapi-ts,
# openapi-generator and openapi-python-client.
#
#     generators.sh DIR
#
# The first run installs them (npm, Python 3.11 with venv, Java, Maven and Go are needed; two minutes). Prints the folder.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/generators"
dir=$(cd "$1/generators" && pwd)
if [ ! -e "$dir/ready" ]; then
  for program in java mvn go; do
    if ! command -v "$program" >&2; then
      echo "$program is needed." >&2
      exit 1
    fi
  done
  mvn --quiet dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.17.0 -DoutputDirectory="$dir" >&2
  python3 "$here/../../../clients/python/pack.py" --out "$dir/python-client" >&2
  python3 -m venv "$dir/python" >&2
  "$dir/python/bin/pip" install --quiet "$dir"/python-client/*.whl \
    pydantic==2.13.5 python-dateutil==2.9.0.post0 urllib3==2.6.3 typing-extensions==4.16.0 lazy-imports==1.2.0 >&2
  cd "$dir"
  echo '{"private": true, "type": "module"}' >package.json
  npm install --ignore-scripts --no-audit --no-fund typescript@5.9.3 @types/node@22 \
    openapi-typescript@7.13.0 openapi-fetch@0.17.0 @hey-api/openapi-ts@0.95.0 >&2
  touch "$dir/ready"
fi
echo "$dir"
