import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { CarrelError, createClient } from "../../clients/typescript/src/index.ts";
import { startTestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const server = await startTestServer();
const carrel = createClient({ baseUrl: `${server.url}/`, key: server.key });

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

/** A client whose requests go through this. */
const clientBy = (send: (forward: () => Promise<Response>, attempt: number) => Promise<Response> | Response) => {
  let attempt = 0;
  const forward = (url: string, init?: RequestInit) => send(() => fetch(url, init), ++attempt);
  return createClient({ baseUrl: server.url, key: server.key, fetch: forward as unknown as typeof fetch });
};

const failureOf = async (promise: Promise<unknown>): Promise<CarrelError> => {
  const failure = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(CarrelError);
  return failure as CarrelError;
};

const text = "The boiler is serviced in May.";

describe("calls", () => {
  test("take and answer what the operation does", async () => {
    const document = await carrel.call("POST /api/ingest", { body: { name: "House rules", text, partition: "house" } });
    const answer = await carrel.ask({ query: "When is the boiler serviced?" });
    expect(answer.answer).toContain("serviced in May. [1]");
    const path = { id: document.id };
    expect((await carrel.call("GET /api/document/{id}", { path })).name).toBe("House rules");
    expect(await carrel.call("GET /api/document/{id}/text", { path })).toBe(text);
    const { id } = await carrel.upload(new File(["Bytes."], "C:\\a\\bytes.txt"), { partition: "house" });
    const file = await carrel.call("GET /api/document/{id}/file", { path: { id } });
    expect(await file.text()).toBe("Bytes.");
    const found = await carrel.call("GET /api/document", {
      query: { partitionId: document.partitionId ?? "", limit: 1 },
    });
    expect(found.map(({ id }) => id)).toEqual([id]);
  });

  test("that fail are one class of error", async () => {
    const missing = await failureOf(carrel.call("GET /api/document/{id}", { path: { id: "no/such" } }));
    expect(missing).toMatchObject({ code: "document_not_found", status: 404, requestId: expect.any(String) });
    expect(missing.detail).toContain("no document");
    const wrong = await failureOf(carrel.call("POST /api/ingest", { body: { name: 7 as never, text } }));
    expect(wrong).toMatchObject({ code: "invalid_request", status: 400, errors: [{ path: "name" }] });
    const closed = createClient({ baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
    expect(await failureOf(closed.ask({ query: "x" }))).toMatchObject({ code: "connection_failed", status: 0 });
    const page = clientBy(() => new Response("<p>Sign in", { headers: { "content-type": "text/html" } }));
    expect((await failureOf(page.ask({ query: "x" }))).code).toBe("unexpected_answer");
    const gateway = clientBy(() => new Response("<p>Bad gateway", { status: 502 }));
    expect(await failureOf(gateway.ask({ query: "x" }))).toMatchObject({ code: "unexpected_answer", status: 502 });
  });

  test("end by their signal, or when their time is up", async () => {
    const silent = Bun.serve({ port: 0, idleTimeout: 0, fetch: () => new Promise<Response>(() => {}) });
    const client = createClient({ baseUrl: silent.url.href });
    const late = await failureOf(client.ask({ query: "x" }, { timeoutMs: 50 }));
    expect(late).toMatchObject({ code: "timed_out", status: 0 });
    const reason = new Error("no longer wanted");
    const controller = new AbortController();
    const asked = client.ask({ query: "x" }, { signal: controller.signal });
    controller.abort(reason);
    expect(await asked.catch((error: unknown) => error)).toBe(reason);
    await silent.stop(true);
  });
});

describe("repetitions", () => {
  test("an ingest whose answer was lost is stored once", async () => {
    const lossy = () =>
      clientBy(async (forward, attempt) => {
        const answer = await forward();
        if (attempt === 1) throw new TypeError("the connection broke");
        return answer;
      });
    const body = { name: "Once", text: "Stored a single time.", partition: "once" };
    const { id } = await lossy().call("POST /api/ingest", { body });
    const file = await lossy().upload(new File(["A file that is sent twice."], "Once.md"), { partition: "once" });
    const all = await collect(carrel.list("GET /api/document", { query: { searchValue: "Once" } }));
    expect(all.map((one) => one.id)).toEqual([file.id, id]);
  });

  test("a first attempt that still runs is waited for", async () => {
    const conflict = { code: "idempotency_conflict", status: 409, detail: "that request still runs" };
    const attempts: number[] = [];
    const client = clientBy(async (forward, attempt) => {
      attempts.push(attempt);
      if (attempt === 1) throw new TypeError("the connection broke");
      return attempt <= 3 ? Response.json(conflict, { status: 409, headers: { "retry-after": "0" } }) : forward();
    });
    await client.call("POST /api/ingest", { body: { name: "Slow", text }, maxRetries: 1 });
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  test("a refusal is waited for as long as the server asks and the time limit lets", async () => {
    const refusal = { code: "rate_limited", status: 429, detail: "too many" };
    let count = 0;
    const refuseOnce = (seconds: string) =>
      clientBy((forward, attempt) => {
        count = attempt;
        return attempt === 1 ? Response.json(refusal, { status: 429, headers: { "retry-after": seconds } }) : forward();
      });
    await refuseOnce("0").call("POST /api/partition", { body: { name: "patient" } });
    expect(count).toBe(2);
    const failure = await failureOf(refuseOnce("3600").ask({ query: "x" }));
    expect(failure).toMatchObject({ code: "rate_limited", retryAfterMs: 3_600_000 });
    expect(count).toBe(1);
  });

  test("what may have been done is not done again", async () => {
    const chat = await carrel.call("POST /api/chat", { body: { title: "once" } });
    let count = 0;
    const client = clientBy(async (forward, attempt) => {
      count = attempt;
      await (await forward()).arrayBuffer();
      throw new TypeError("the connection broke");
    });
    const sent = collect(client.sendStream(chat.id, { message: "When is the boiler serviced?" }));
    expect((await failureOf(sent)).code).toBe("connection_failed");
    expect(count).toBe(1);
  });
});

describe("streams", () => {
  test("give an answer as it is written", async () => {
    const events = await collect(carrel.askStream({ query: "When is the boiler serviced?" }));
    expect(events[0]?.event).toBe("snippets");
    const written = events.flatMap((one) => (one.event === "delta" ? [one.data.text] : [])).join("");
    const last = events.at(-1);
    expect(last?.event === "done" ? last.data.answer : null).toBe(written);
    expect(written).toContain("serviced in May. [1]");
    const chat = await carrel.call("POST /api/chat", { body: { title: "Rules" } });
    const said = (await collect(carrel.sendStream(chat.id, { message: "When is the boiler serviced?" }))).at(-1);
    expect(said?.event === "done" ? said.data.message : null).toContain("serviced in May.");
  });

  test("close their connection when they are left", async () => {
    let isCancelled = false;
    const endless = clientBy(() => {
      const body = new ReadableStream({
        pull: (controller) =>
          controller.enqueue(new TextEncoder().encode('event: delta\r\ndata: {"text":"é"}\r\n\r\n')),
        cancel: () => {
          isCancelled = true;
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    for await (const event of endless.askStream({ query: "x" })) {
      expect(event).toEqual({ event: "delta", data: { text: "é" } });
      break;
    }
    expect(isCancelled).toBe(true);
  });

  test("wait for a slow reader, whose time is no silence", async () => {
    const events = ["event: snippets\ndata: []\n\n", 'event: done\ndata: {"answer":"a"}\n\n'];
    const client = clientBy(() => {
      const body = new ReadableStream({
        pull(controller) {
          const next = events.shift();
          if (next === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(next));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    const seen: string[] = [];
    for await (const { event } of client.askStream({ query: "x" }, { timeoutMs: 50 })) {
      seen.push(event);
      await Bun.sleep(120);
    }
    expect(seen).toEqual(["snippets", "done"]);
  });

  test("that break, fall silent or tell of a failure throw", async () => {
    const streaming = (chunks: string, isEnded: boolean) =>
      clientBy(() => {
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(chunks));
            if (isEnded) controller.close();
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      });
    const begun = 'event: snippets\ndata: []\n\n: keep\n\nevent: delta\ndata: {"text":"a"}\n\n';
    const problem = JSON.stringify({ code: "model_failed", status: 502, detail: "the model failed", requestId: "r" });
    const cases: [string, boolean, string][] = [
      [begun, true, "connection_failed"],
      [begun, false, "timed_out"],
      [`${begun}event: error\ndata: ${problem}\n\n`, true, "model_failed"],
      [`${begun}event: done\ndata: {"answ\n\n`, true, "unexpected_answer"],
    ];
    for (const [chunks, isEnded, code] of cases) {
      const asked = collect(streaming(chunks, isEnded).askStream({ query: "x" }, { timeoutMs: 100 }));
      expect((await failureOf(asked)).code).toBe(code as CarrelError["code"]);
    }
  });
});

test("lists give every record once, also where others come meanwhile", async () => {
  const names = Array.from({ length: 5 }, (_, index) => `listed ${index}`);
  for (const name of names) await carrel.call("POST /api/partition", { body: { name } });
  const found: string[] = [];
  for await (const { name } of carrel.list("GET /api/partition/search", {
    query: { searchValue: "listed", limit: 2 },
  })) {
    if (found.length === 1) await carrel.call("POST /api/partition", { body: { name: "listed later" } });
    found.push(name);
  }
  expect(found).toEqual(names.reverse());
});

test("a batch tells of each document, and of the faulty ones", async () => {
  const lines = await collect(
    carrel.ingestBatch([{ name: "a", text }, { name: "b" }, { name: "c", text: "Another." }]),
  );
  expect(lines).toEqual([
    { line: 1, id: expect.any(String), status: expect.any(String) },
    { line: 2, error: expect.objectContaining({ code: "no_source" }) },
    { line: 3, id: expect.any(String), status: expect.any(String) },
  ] as never);
});

describe("uploads", () => {
  test("tell how much is sent, and are followed until they are read", async () => {
    const body = `# Garden\n\nThe pump is drained in October.\n\n${"Leaves fall. ".repeat(50_000)}`;
    const shares: number[] = [];
    const { id, name } = await carrel.upload(
      new File([body], "garden.md"),
      { partition: "garden", metadata: { year: 2026 }, async: true },
      { onProgress: (sent, total) => shares.push(sent / total) },
    );
    expect(name).toBe("garden.md");
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    const states = await collect(carrel.follow(id));
    expect(states.at(-1)).toMatchObject({ status: "processed", error: null });
    const stored = await carrel.call("GET /api/document/{id}", { path: { id } });
    expect(stored.metadata).toEqual({ year: 2026 });
  });

  test("by XMLHttpRequest, where the platform has it", async () => {
    /** One that sends by fetch and tells of two steps. */
    class FakeRequest {
      upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
      onload = () => {};
      onerror = () => {};
      status = 0;
      response = new ArrayBuffer(0);
      #url = "";
      #headers: Record<string, string> = {};
      #answered = new Headers();
      open(_method: string, url: string) {
        this.#url = url;
      }
      setRequestHeader(name: string, value: string) {
        this.#headers[name] = value;
      }
      getAllResponseHeaders() {
        return [...this.#answered].map(([name, value]) => `${name}: ${value}\r\n`).join("");
      }
      abort() {}
      send(body: FormData) {
        this.upload.onprogress?.({ loaded: 1, total: 2 });
        fetch(this.#url, { method: "POST", headers: this.#headers, body }).then(async (answer) => {
          this.status = answer.status;
          this.#answered = answer.headers;
          this.response = await answer.arrayBuffer();
          this.onload();
        }, this.onerror);
      }
    }
    Object.assign(globalThis, { XMLHttpRequest: FakeRequest });
    try {
      const steps: [number, number][] = [];
      const file = new File(["The roof is red."], "roof.txt");
      const { name } = await carrel.upload(file, {}, { onProgress: (...step) => steps.push(step) });
      expect(name).toBe("roof.txt");
      expect(steps).toEqual([[1, 2]]);
      const refused = carrel.upload(file, { partitionId: "none" }, { onProgress: () => {} });
      expect((await failureOf(refused)).code).toBe("partition_not_found");
    } finally {
      Reflect.deleteProperty(globalThis, "XMLHttpRequest");
    }
  });
});

test("the package works in Node, with nothing beside it", async () => {
  const folder = await temporaryFolder("client");
  const tsc = join(import.meta.dir, "../../node_modules/typescript/bin/tsc");
  const project = join(import.meta.dir, "../../clients/typescript");
  const built = Bun.spawnSync(["node", tsc, "-p", project, "--outDir", join(folder, "dist")]);
  expect(built.stdout.toString()).toBe("");
  await Bun.write(join(folder, "package.json"), '{"type": "module"}');
  await Bun.write(join(folder, "rules.md"), `# Rules\n\n${"The lawn is mown in April. ".repeat(20_000)}`);
  await Bun.write(
    join(folder, "use.js"),
    `import { openAsBlob } from "node:fs";
      import { createClient } from "./dist/index.js";
      const carrel = createClient({ baseUrl: process.argv[2], key: process.argv[3] });
      let share = 0;
      const onProgress = (sent, total) => { share = sent / total; };
      const { name } = await carrel.upload(await openAsBlob("rules.md"), { name: "rules.md" }, { onProgress });
      let events = [];
      for await (const { event } of carrel.askStream({ query: "When is the lawn mown?" })) events.push(event);
      const failure = await carrel.call("GET /api/document/{id}", { path: { id: "x" } }).catch((error) => error.code);
      console.log(JSON.stringify({ name, share, first: events[0], last: events.at(-1), failure }));`,
  );
  const child = Bun.spawn(["node", "use.js", server.url, server.key], { cwd: folder, stderr: "inherit" });
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual({
    name: "rules.md",
    share: 1,
    first: "snippets",
    last: "done",
    failure: "document_not_found",
  });
});
