#!/bin/bash
# Serves a real OpenTelemetry collector on 127.0.0.1, which prints every span that it is sent.
#
#     start-collector.sh DIR PORT
#
# The first run builds it into DIR (Go is needed; some minutes). Prints the collector's pid; what it was sent is in
# DIR/collector.log. Stop it with: kill PID
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/collector"
dir=$(cd "$1" && pwd)
port=$2
version=v0.116.0
confmap=v1.22.0

if [ ! -x "$dir/bin/collector" ]; then
  mkdir -p "$dir/bin"
  cp "$here/collector/main.go" "$dir/collector/"
  (
    cd "$dir/collector"
    [ -f go.mod ] || go mod init example.com/collector
    go get "go.opentelemetry.io/collector/otelcol@$version" \
      "go.opentelemetry.io/collector/receiver/otlpreceiver@$version" \
      "go.opentelemetry.io/collector/exporter/debugexporter@$version" \
      "go.opentelemetry.io/collector/confmap/provider/fileprovider@$confmap"
    nice -n 10 go build -mod=mod -o "$dir/bin/collector" .
  ) >&2
fi
cat >"$dir/collector/config.yaml" <<END
receivers: { otlp: { protocols: { http: { endpoint: "127.0.0.1:$port" } } } }
exporters: { debug: { verbosity: detailed } }
service:
  telemetry: { metrics: { level: none } }
  pipelines: { traces: { receivers: [otlp], exporters: [debug] } }
END
nohup "$dir/bin/collector" "$dir/collector/config.yaml" >"$dir/collector.log" 2>&1 &
pid=$!
until curl -s -o /dev/null "http://127.0.0.1:$port/"; do
  kill -0 "$pid" || { tail "$dir/collector.log" >&2; exit 1; }
  sleep 0.2
done
echo "$pid"
