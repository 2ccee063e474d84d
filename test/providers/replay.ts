import { readFileSync, writeFileSync } from "node:fs";

/**
 * Answers of a real server, kept to be given again. Made by running the conformance suite against the real one with
 * `startRecorder` between (see test/real/record.ts).
 */
export interface Exchange {
  method: string;
  path: string;
  /** Parsed request body, null where there was none. */
  request: unknown;
  status: number;
  contentType: string;
  /** The answer's body, as text. */
  response: string;
}

export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/** The recorded models say the same at every temperature: what is sent of it is checked in sampling.test.ts. */
const keyOf = (method: string, path: string, request: unknown): string =>
  `${method} ${path} ${JSON.stringify(request, (name, value: unknown) => (name === "temperature" ? undefined : value))}`;

const bodyOf = async (request: Request): Promise<unknown> => {
  const text = await request.text();
  return text === "" ? null : JSON.parse(text);
};

const serve = (fetch: (request: Request) => Response | Promise<Response>): RunningServer => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
};

export const readRecording = (file: string): Exchange[] => JSON.parse(readFileSync(file, "utf8")) as Exchange[];

/** A server that gives the recorded answer to a request it knows, and 599 to any other. */
export const startReplay = (exchanges: readonly Exchange[]): RunningServer => {
  const known = new Map(exchanges.map((one) => [keyOf(one.method, one.path, one.request), one]));
  return serve(async (request) => {
    const path = new URL(request.url).pathname;
    const found = known.get(keyOf(request.method, path, await bodyOf(request)));
    if (!found) return new Response(`not recorded: ${request.method} ${path}`, { status: 599 });
    return new Response(found.response, { status: found.status, headers: { "content-type": found.contentType } });
  });
};

/** Takes out what names the recording machine: the paths of the model's files. */
const withoutPaths = (text: string): string => text.replace(/"(modelfile|parent_model)":"(?:[^"\\]|\\.)*"/g, '"$1":""');

/** Passes everything on to a real server and writes what was said to `file` when stopped. */
export const startRecorder = (target: string, file: string): RunningServer => {
  const kept = new Map<string, Exchange>();
  const running = serve(async (request) => {
    const path = new URL(request.url).pathname;
    const body = await bodyOf(request);
    const answer = await fetch(target + path, {
      method: request.method,
      headers: { "content-type": "application/json" },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    const response = withoutPaths(await answer.text());
    const contentType = answer.headers.get("content-type") ?? "text/plain";
    const exchange = { method: request.method, path, request: body, status: answer.status, contentType, response };
    kept.set(keyOf(request.method, path, body), exchange);
    return new Response(response, { status: answer.status, headers: { "content-type": contentType } });
  });
  return {
    url: running.url,
    stop: async () => {
      writeFileSync(file, `${JSON.stringify([...kept.values()], null, 1)}\n`);
      await running.stop();
    },
  };
};

export type Fault =
  | "silent"
  | "stalls"
  | "cut"
  | "stays-open"
  | "drops-late"
  | "garbage"
  | "html"
  | "unauthorized"
  | "rate-limited"
  | "busy-once"
  | "out-of-memory"
  | "redirects"
  | "echoes-key";

/** What a fault server saw: how many calls, and whether the last caller hung up. */
interface FaultyServer extends RunningServer {
  calls(): number;
  hungUp: Promise<void>;
}

/** A server that fails in one given way; `good` is the recorded answer that some of the faults begin with. */
export const startFaulty = (fault: Fault, exchanges: readonly Exchange[]): FaultyServer => {
  let calls = 0;
  let sayHungUp = () => {};
  const hungUp = new Promise<void>((resolve) => {
    sayHungUp = resolve;
  });
  const known = new Map(exchanges.map((one) => [keyOf(one.method, one.path, one.request), one]));
  const running = serve(async (request) => {
    const path = new URL(request.url).pathname;
    const good = known.get(keyOf(request.method, path, await bodyOf(request)));
    if (!good) return new Response(`not recorded: ${request.method} ${path}`, { status: 599 });
    // Questions about the model are answered: the fault is in the work itself.
    if (path.endsWith("/show") || path.endsWith("/models"))
      return new Response(good.response, { status: good.status, headers: { "content-type": good.contentType } });
    calls++;
    return faulty(fault, good, request, calls, () => sayHungUp());
  });
  return { ...running, calls: () => calls, hungUp };
};

/** What is said again and again: a comment, or a chunk of text or thought; texts in turn. */
export type Piece = "comment" | { text: string | null } | { thought: string } | readonly string[];

/** The piece in the form of the recorded stream. A stream of Ollama's has no comments, but may have empty lines. */
const framed = (piece: Exclude<Piece, readonly string[]>, isOllama: boolean): string => {
  if (piece === "comment") return isOllama ? "\n" : ": alive\n\n";
  const isThought = "thought" in piece;
  const said = isThought ? piece.thought : piece.text;
  if (isOllama) {
    const message = { role: "assistant", ...(isThought ? { content: "", thinking: said } : { content: said ?? "" }) };
    return `${JSON.stringify({ model: "parrot", message, done: false })}\n`;
  }
  const delta = isThought ? { reasoning_content: said } : said === null ? { role: "assistant" } : { content: said };
  return `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
};

/** A server that answers questions about the model as recorded, and any other with a stream of one piece without end. */
export const startTalker = (exchanges: readonly Exchange[], piece: Piece): FaultyServer => {
  const encoder = new TextEncoder();
  const hungUp = Promise.withResolvers<void>();
  let calls = 0;
  const running = serve(async (request) => {
    const path = new URL(request.url).pathname;
    const body = await bodyOf(request);
    const good = exchanges.find((one) => one.path === path && (one.request === null || sameModel(one.request, body)));
    if (good !== undefined && /\/(?:show|models)$/.test(path))
      return new Response(good.response, { status: good.status, headers: { "content-type": good.contentType } });
    calls++;
    const isOllama = path.startsWith("/api/");
    const frames =
      typeof piece === "object" && "length" in piece
        ? piece.map((text) => framed({ text }, isOllama))
        : [framed(piece, isOllama)];
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await Bun.sleep(2);
        controller.enqueue(encoder.encode(frames[at++ % frames.length] as string));
      },
      cancel: () => hungUp.resolve(),
    });
    return new Response(stream, {
      headers: { "content-type": isOllama ? "application/x-ndjson" : "text/event-stream" },
    });
  });
  return { ...running, calls: () => calls, hungUp: hungUp.promise };
};

const sameModel = (one: unknown, other: unknown): boolean =>
  (one as { model?: string }).model === (other as { model?: string } | null)?.model;

/** A stream up to the end of its answer: what OpenAI's form sends after that is left out. */
const withoutEndMark = (stream: string): string =>
  stream
    .split(/(?<=\n\n)/)
    .filter((event) => !/^data: (\[DONE\]|.*"choices":\[\])/.test(event))
    .join("");

const faulty = (
  fault: Fault,
  good: Exchange,
  request: Request,
  call: number,
  hungUp: () => void,
): Response | Promise<Response> => {
  const answer = (body: string | ReadableStream<Uint8Array>, status = 200, headers: Record<string, string> = {}) =>
    new Response(body, { status, headers: { "content-type": good.contentType, ...headers } });
  const begin = good.response.slice(0, Math.floor(good.response.length / 2));
  // A caller may have gone before its call is looked at.
  const gone = new Promise<void>((resolve) => {
    if (request.signal.aborted) resolve();
    request.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  switch (fault) {
    case "silent":
      return gone.then(() => {
        hungUp();
        return answer("");
      });
    case "stalls":
      void gone.then(hungUp);
      return answer(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(begin)),
          cancel: hungUp,
        }),
      );
    case "cut":
      return answer(begin.slice(0, begin.lastIndexOf("\n") + 1));
    case "stays-open":
      return answer(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(withoutEndMark(good.response))),
          cancel: hungUp,
        }),
      );
    case "drops-late":
      return answer(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode(withoutEndMark(good.response)));
            await Bun.sleep(100);
            controller.error(new Error("the connection drops"));
          },
        }),
      );
    case "garbage":
      return answer("\u0000\u0001 this is { not what was asked for ]\n");
    case "html":
      return answer("<html><body><h1>502 Bad Gateway</h1></body></html>", 502, { "content-type": "text/html" });
    case "unauthorized":
      return answer(JSON.stringify({ error: { message: "Invalid API key" } }), 401);
    case "rate-limited":
      return answer(JSON.stringify({ error: { message: "slow down" } }), 429, { "retry-after": "120" });
    case "busy-once":
      return call === 1
        ? answer(JSON.stringify({ error: "server busy" }), 503, { "retry-after": "0" })
        : answer(good.response, good.status);
    case "out-of-memory":
      return answer(JSON.stringify({ error: "model requires more system memory (9.1 GiB) than is available" }), 500);
    case "redirects":
      return answer("", 307, { location: "http://192.0.2.1/" });
    case "echoes-key":
      return answer(JSON.stringify({ error: `bad key ${request.headers.get("authorization")}` }), 400);
  }
};
