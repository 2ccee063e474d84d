import { afterAll, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { defaultConfig } from "../../config/load.ts";
import { Secret } from "../../config/secret.ts";
import { createLogger } from "../../src/log/log.ts";
import { openTracer } from "../../src/tracing/open-tracer.ts";
import { noTracer } from "../../src/tracing/tracer.ts";
import { serve } from "../serve.ts";
import { startTestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";
import { type ReceivedSpan, startOtlpReceiver } from "./otlp-receiver.ts";

const defaults = defaultConfig();
const collector = startOtlpReceiver();
const seen: Headers[] = [];
/** Answers as Ollama's chat does, and keeps the headers it was sent. */
const ollama = serve(async (request) => {
  if (!request.url.endsWith("/api/chat")) return Response.json({ capabilities: ["completion"], model_info: {} });
  seen.push(request.headers);
  const { messages } = (await request.json()) as { messages: { content: string }[] };
  if (messages.some(({ content }) => content.includes("unanswerable"))) return new Response(null, { status: 500 });
  const lines = [
    { model: "writer", message: { role: "assistant", content: "On the roof [1]." }, done: false },
    {
      model: "writer",
      message: { role: "assistant", content: "" },
      done: true,
      done_reason: "stop",
      prompt_eval_count: 70,
      eval_count: 5,
    },
  ];
  return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), {
    headers: { "content-type": "application/x-ndjson" },
  });
});
const secretText = "Gulls nest on the roof of the harbour office.";
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const callerId = "00f067aa0ba902b7";
const traceparent = `00-${traceId}-${callerId}-01`;

const server = await startTestServer({
  tracing: {
    endpoint: collector.url,
    headers: [new Secret("x-token=hush=1")],
    sampleRatio: 1,
    serviceName: "reading room",
  },
  models: {
    answer: {
      ...defaults.models.answer,
      provider: "ollama",
      model: "writer",
      baseUrl: ollama.url,
    },
  },
});
afterAll(async () => {
  await collector.stop();
});

const parentOf = (span: ReceivedSpan | undefined): ReceivedSpan | undefined =>
  collector.spans.find(({ spanId }) => spanId === span?.parentId);

test("a question is one trace from the caller to the model, with its legs; a document has its steps", async () => {
  const send = (path: string, body: object) =>
    server.call(path, {
      method: "POST",
      headers: { "content-type": "application/json", traceparent },
      body: JSON.stringify(body),
    });
  expect((await send("/api/ingest", { name: "Birds", text: secretText })).status).toBe(200);
  const later = (await (
    await send("/api/ingest", { name: "Later", text: "Terns breed on gravel.", async: true })
  ).json()) as { id: string };
  const asked = await send("/api/query", { query: "Where do gulls nest?" });
  expect(await asked.json()).toMatchObject({ answer: "On the roof [1]." });
  const streamed = await send("/api/query", { query: "Where do gulls nest?", stream: true });
  expect(await streamed.text()).toContain("event: done");
  expect((await send("/api/query", { query: "Where do unanswerable gulls nest?" })).status).toBe(502);
  await server.call("/health/ready");
  await until(async () => {
    const { status } = (await (await server.call(`/api/document/${later.id}`)).json()) as { status: string };
    return status === "processed";
  }, "the document is processed");
  const metrics = (await (await server.call("/metrics")).text()).split("\n");
  for (const line of [
    'carrel_model_calls_total{use="answer",provider="ollama",outcome="ok"} 2',
    'carrel_model_calls_total{use="answer",provider="ollama",outcome="bad_answer"} 1',
    'carrel_model_tokens_total{direction="prompt"} 140',
    'carrel_model_tokens_total{direction="output"} 10',
  ])
    expect(metrics).toContain(line);
  expect(await (await fetch(`${server.url}/health/ready`)).json()).toMatchObject({
    status: "ready",
    models: [{ use: "answer", state: "failing" }],
  });
  await server.stop(); // sends what is left

  const questions = collector.named("POST /api/query");
  expect(questions).toHaveLength(3);
  for (const span of questions) expect(span).toMatchObject({ traceId, parentId: callerId, kind: 2 });
  expect(questions.map(({ status }) => status).toSorted()).toEqual([0, 0, 2]);
  expect(questions[0]?.attributes).toMatchObject({ "http.route": "/api/query", "http.response.status_code": 200 });
  expect(questions[0]?.resource).toMatchObject({ "service.name": "reading room" });

  const calls = collector.named("chat writer");
  expect(calls).toHaveLength(3);
  // A streamed answer is made while it is sent: its call belongs to its request all the same.
  for (const call of calls) {
    expect(call).toMatchObject({
      traceId,
      kind: 3,
      attributes: { "gen_ai.provider.name": "ollama", "gen_ai.request.model": "writer" },
    });
    expect(parentOf(call)?.name).toBe("POST /api/query");
  }
  expect(new Set(calls.map(({ parentId }) => parentId)).size).toBe(3);
  expect(calls.map(({ attributes }) => attributes["gen_ai.usage.output_tokens"])).toEqual([5, 5, undefined]);
  expect(calls[0]?.attributes).toMatchObject({ "gen_ai.response.finish_reasons": ["stop"] });
  expect(calls.at(-1)).toMatchObject({ status: 2, attributes: { "error.type": "bad_answer" } });
  // The model's server is told which call it is a part of.
  expect(seen.map((headers) => headers.get("traceparent")).slice(0, 2)).toEqual(
    calls.slice(0, 2).map(({ spanId }) => `00-${traceId}-${spanId}-01`),
  );

  for (const leg of ["retrieval.text", "retrieval.vectors", "retrieval.model_vectors"]) {
    const spans = collector.named(leg);
    expect(spans).toHaveLength(3);
    for (const span of spans) expect(parentOf(span)?.name).toBe("retrieval");
  }
  const read = collector.named("ingest.read").map((span) => parentOf(span)?.name);
  expect(read.toSorted()).toEqual(["POST /api/ingest", "ingest document"]);
  const [queued] = collector.named("ingest document");
  expect(queued).toMatchObject({ parentId: "", attributes: { "carrel.document.id": later.id } });
  expect(queued?.traceId).not.toBe(traceId);
  expect(collector.named("ingest.publish").some(({ traceId: own }) => own === queued?.traceId)).toBe(true);

  expect(collector.spans.some(({ name }) => name.includes("/health"))).toBe(false);
  for (const { path, headers, body } of collector.requests) {
    expect([path, headers.get("x-token")]).toEqual(["/v1/traces", "hush=1"]);
    for (const secret of ["harbour", "gulls nest", "On the roof", server.key]) expect(body).not.toContain(secret);
  }
});

test("without an endpoint nothing of OpenTelemetry is loaded: it need not even be there", async () => {
  expect(await openTracer(defaults.tracing, createLogger({ level: "silent", format: "text" }))).toBe(noTracer);
  const folder = await temporaryFolder("tracing");
  const source = join(import.meta.dir, "../../src/tracing");
  await cp(source, join(folder, "src/tracing"), { recursive: true });
  const open = async (endpoint: string | null): Promise<number> => {
    const script = `await (await import("./src/tracing/open-tracer.ts")).openTracer(${JSON.stringify({ ...defaults.tracing, endpoint })}, console)`;
    const options = { cwd: folder, stdout: "ignore", stderr: "ignore" } as const;
    // No package is looked for anywhere else.
    return await Bun.spawn([process.execPath, "--no-install", "-e", script], options).exited;
  };
  expect([await open(null), await open("http://127.0.0.1:9")]).toEqual([0, 1]);
});

test("a caller who does not want its trace recorded decides, and a share of the others is", async () => {
  const receiver = startOtlpReceiver();
  const log = createLogger({ level: "silent", format: "text" });
  const settings = { endpoint: receiver.url, headers: [], serviceName: "x" };
  const none = await openTracer({ ...settings, sampleRatio: 0 }, log);
  none.open("dropped").end();
  none.open("kept", { headers: new Headers({ traceparent }) }).end();
  await none.close();
  const all = await openTracer({ ...settings, sampleRatio: 1 }, log);
  all.open("dropped", { headers: new Headers({ traceparent: traceparent.replace(/01$/, "00") }) }).end();
  await all.close();
  expect(receiver.spans.map(({ name }) => name)).toEqual(["kept"]);
  await receiver.stop();
});

test("a collector that refuses or is away is told in the log once, and holds up nothing", async () => {
  const receiver = startOtlpReceiver();
  receiver.answerWith(401);
  const lines: string[] = [];
  const log = createLogger({ level: "warn", format: "json" }, (line) => lines.push(line));
  const tracer = await openTracer(
    { ...defaults.tracing, endpoint: receiver.url, headers: [new Secret("authorization=hush")] },
    log,
  );
  for (let at = 0; at < 2_000; at++) tracer.open(`span ${at}`).end();
  const began = performance.now();
  await tracer.close();
  expect(performance.now() - began).toBeLessThan(25_000);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ msg: expect.stringContaining("tracing.endpoint") });
  expect(lines[0]).not.toContain("hush");
  await receiver.stop();
});
