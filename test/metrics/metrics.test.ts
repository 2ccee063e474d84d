import { expect, test } from "bun:test";
import { ProviderError } from "../../providers/contract.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import type { Readings } from "../../src/metrics/reading-gauges.ts";
import { writeMetricsMarkdown } from "../../tools/markdown/metrics.ts";
import { startTestServer } from "../start-server.ts";

const root = new URL("../../", import.meta.url).pathname;
const read = (path: string): Promise<string> => Bun.file(`${root}${path}`).text();

const nothing: Readings = {
  activeRequests: 0,
  documents: null,
  oldestWaitMs: null,
  vectors: null,
  store: null,
  disk: null,
  isWritable: null,
  newestBackupAt: null,
};

const server = await startTestServer();

const scrape = async (): Promise<string[]> => (await (await server.call("/metrics")).text()).split("\n");
const figureOf = (lines: readonly string[], series: string): number =>
  Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1));

test("labels are bounded, whatever is asked for", async () => {
  const metrics = createMetrics();
  for (const method of ["BREW", "PROPFIND", "GET"]) metrics.countRequest(method, null, 404, 0.001);
  const text = await metrics.render(nothing);
  expect(text).not.toContain("BREW");
  expect(text).toContain('carrel_http_requests_total{method="other",route="none",status="404"} 2');
});

test("calls of models are counted by outcome, and their tokens", async () => {
  const { models, render } = createMetrics();
  models.countCall("answer", "ollama", 0.5);
  models.countCall("answer", "ollama", 60, new ProviderError("answer", "timeout", "silent"));
  models.countCall("answer", "ollama", 1, new TypeError("ours"));
  models.countTokens(700, 40);
  models.countTokens(null, 2);
  const lines = (await render(nothing)).split("\n");
  for (const outcome of ["ok", "timeout", "error"])
    expect(lines).toContain(`carrel_model_calls_total{use="answer",provider="ollama",outcome="${outcome}"} 1`);
  expect(lines).toContain('carrel_model_call_duration_seconds_count{use="answer",provider="ollama"} 3');
  expect(lines).toContain('carrel_model_tokens_total{direction="prompt"} 700');
  expect(lines).toContain('carrel_model_tokens_total{direction="output"} 42');
});

test("what cannot be read is left out, and comes back", async () => {
  const { render } = createMetrics();
  const series = (text: string): string[] =>
    text.split("\n").filter((line) => /^carrel_(disk|documents|store|backup|vectors)/.test(line));
  expect(series(await render(nothing))).toEqual([]);
  const there = await render({
    ...nothing,
    disk: { freeBytes: 5, totalBytes: 10 },
    store: { rows: { documents: 3 }, unindexedRows: {}, bytes: { files: 7 } },
    newestBackupAt: 1_700_000_000_000,
  });
  expect(series(there)).toEqual([
    'carrel_store_rows{table="documents"} 3',
    'carrel_store_bytes{part="files"} 7',
    "carrel_disk_free_bytes 5",
    "carrel_disk_size_bytes 10",
    "carrel_backup_newest_timestamp_seconds 1700000000",
  ]);
  expect(series(await render(nothing))).toEqual([]);
});

test("a server tells of its store, its disk and its queue", async () => {
  await server.post("/api/ingest", { name: "Gulls", text: "Gulls nest on the roof of the harbour office." });
  const lines = await scrape();
  expect(figureOf(lines, 'carrel_store_rows{table="documents"}')).toBe(1);
  expect(figureOf(lines, 'carrel_store_rows{table="snippets"}')).toBe(1);
  expect(figureOf(lines, 'carrel_documents{status="processed"}')).toBe(1);
  expect(figureOf(lines, "carrel_ingest_queue_oldest_seconds")).toBe(0);
  expect(figureOf(lines, "carrel_vectors_pending_snippets")).toBe(0);
  expect(figureOf(lines, "carrel_store_writable")).toBe(1);
  expect(figureOf(lines, "carrel_disk_free_bytes")).toBeGreaterThan(1e6);
  expect(figureOf(lines, 'carrel_store_bytes{part="tables"}')).toBeGreaterThan(1_000);
  expect(figureOf(lines, "carrel_process_cpu_seconds_total")).toBeGreaterThan(0);
  expect(figureOf(lines, "carrel_process_open_fds")).toBeGreaterThan(3);
  expect(lines.some((line) => /^carrel_(backup_newest|tls_)/.test(line))).toBe(false);
  // No id of an index or vector set becomes a label.
  expect(lines.join("\n")).not.toMatch(/table="[^"]*[0-9a-f]{32}/);
});

test("docs/metrics.md lists what there is", async () => {
  const page = await read("docs/metrics.md");
  expect(page).toBe(writeMetricsMarkdown(page, await createMetrics().describe()));
});

test("dashboard, alerts and page name only metrics that are there", async () => {
  const described = await createMetrics().describe();
  const known = new Set(
    described.flatMap(({ name, type }) =>
      type === "histogram" ? [name, ...["bucket", "sum", "count"].map((part) => `${name}_${part}`)] : [name],
    ),
  );
  const labels = new Map(described.map(({ name, labels: own }) => [name, new Set(own)]));
  const texts = await Promise.all(
    ["deploy/grafana/carrel.json", "deploy/prometheus/alerts.yml", "docs/metrics.md"].map(read),
  );
  for (const text of texts) {
    const named = [...text.matchAll(/\bcarrel_[a-z_]+[a-z]/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  }
  // Selectors and groupings name labels of their metric.
  const [dashboard = "", alerts = ""] = texts;
  for (const [, name = "", selector = ""] of `${dashboard.replaceAll('\\"', '"')}${alerts}`.matchAll(
    /\b(carrel_[a-z_]+[a-z])\{([^}]*)\}/g,
  ))
    for (const [, label = ""] of selector.matchAll(/([a-z]+)(?:=|!)/g)) {
      const own = labels.get(name.replace(/_(bucket|sum|count)$/, "")) ?? labels.get(name);
      expect(label === "instance" || own?.has(label), `${name}{${label}}`).toBe(true);
    }
});

test("the dashboard is one that Grafana reads, and the alerts are rules", async () => {
  const { panels } = JSON.parse(await read("deploy/grafana/carrel.json")) as {
    panels: { id: number; targets: { expr: string }[] }[];
  };
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { targets } of panels) expect(targets.every(({ expr }) => expr.length > 0)).toBe(true);
  const { groups } = Bun.YAML.parse(await read("deploy/prometheus/alerts.yml")) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
  };
  for (const { alert, expr, annotations } of groups.flatMap(({ rules }) => rules)) {
    expect(alert).toMatch(/^Carrel[A-Z]/);
    expect(expr.length).toBeGreaterThan(0);
    expect(annotations.summary.length).toBeGreaterThan(0);
  }
});
