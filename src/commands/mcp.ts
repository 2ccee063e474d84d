import { serverEvents } from "../../clients/typescript/src/streams.ts";
import { messageOf, UsageFailure } from "../domain/errors.ts";
import type { Environment } from "../program/environment.ts";
import { isJsonObject } from "../text/json-object.ts";
import {
  type ClientOptions,
  jsonBody,
  LostServer,
  type OperatorClient,
  openAgainMs,
  openClient,
  openElsewhere,
  problemOf,
} from "./client/client.ts";

/** A JSON-RPC message, as far as it is read here. */
interface Message {
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown; requestId?: unknown; _meta?: Record<string, unknown> };
}

/** Longest line of standard input: a document comes as one. */
const maxLineBytes = 128 * 1024 * 1024;
/** Requests of one client that are answered at the same time. */
const maxAtOnce = 64;
/** How long another process may take to open the data directory, or to leave it: until then requests are sent again. */
const openWithinMs = 30_000;
const versionKey = "io.modelcontextprotocol/protocolVersion";

/**
 * `carrel mcp`: passes each message of standard input on to `/mcp`, and what that answers to standard output. Where no
 * server runs on the data directory this process opens it, and others go through it; when it ends, one of them opens it.
 */
export const mcp = async ({ server = "", ...rest }: ClientOptions, environment: Environment): Promise<void> => {
  // A bundle of Claude Desktop passes on what was left empty when it was installed.
  const options: ClientOptions = server.trim() === "" ? rest : { ...rest, server: server.trim() };
  const connection = createConnection(opener(options, environment));
  /** What ends the requests that are being answered. */
  const running = new Map<unknown, AbortController>();
  const work = new Set<Promise<void>>();
  /** Revision that `initialize` agreed on; later ones are named by each request. */
  let revision: string | null = null;

  const answer = async (message: Message, signal: AbortSignal): Promise<void> => {
    const isRequest = message.id !== undefined;
    const fail = (text: string) =>
      isRequest ? output({ jsonrpc: "2.0", id: message.id, error: { code: -32_603, message: text } }) : undefined;
    try {
      const headers = { ...accepted, ...routingHeaders(message, revision) };
      const response = await connection.send({ ...jsonBody(message), headers, signal });
      for await (const said of messagesOf(response, fail)) {
        const agreed =
          message.method === "initialize" ? (said as { result?: { protocolVersion?: unknown } }).result : null;
        if (typeof agreed?.protocolVersion === "string") revision = agreed.protocolVersion;
        if (!signal.aborted) await output(said);
      }
    } catch (error) {
      if (!signal.aborted) await fail(messageOf(error));
    }
  };

  const take = async (line: string): Promise<void> => {
    const message = parseLine(line);
    if (message === null)
      return output({
        jsonrpc: "2.0",
        id: null,
        error: { code: -32_700, message: "Parse error: the line is not JSON." },
      });
    const { id, method, params } = message;
    if (method === "notifications/cancelled") return running.get(params?.requestId)?.abort();
    // An answer to a request: this server makes none.
    if (typeof method !== "string") return;
    if (work.size >= maxAtOnce) await Promise.race(work);
    const cancel = new AbortController();
    if (id !== undefined) running.set(id, cancel);
    const done = answer(message, cancel.signal).finally(() => {
      if (running.get(id) === cancel) running.delete(id);
      work.delete(done);
    });
    work.add(done);
    // What follows needs the revision.
    if (method === "initialize") await done;
  };

  try {
    if (options.server === undefined) await connection.open();
    for await (const line of linesUntil(process.stdin, environment.stop)) await take(line);
    await Promise.all(work);
  } finally {
    for (const cancel of running.values()) cancel.abort();
    await connection.close();
  }
};

const accepted = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const opener = (options: ClientOptions, environment: Environment): (() => Promise<OperatorClient>) => {
  if (options.server === undefined) return () => openClient(options, environment, { isShared: true });
  const client = openElsewhere(options.server, options, environment);
  return async () => client;
};

/** A client that is opened anew where the process behind it has ended. */
const createConnection = (openClientAgain: () => Promise<OperatorClient>) => {
  let current: Promise<OperatorClient> | null = null;
  const open = (): Promise<OperatorClient> => {
    current ??= openClientAgain().catch((error: unknown) => {
      current = null;
      throw error;
    });
    return current;
  };
  return {
    open,
    async send(init: RequestInit): Promise<Response> {
      const giveUpAt = performance.now() + openWithinMs;
      for (;;) {
        const client = open();
        const isLast = performance.now() > giveUpAt;
        try {
          const response = await (await client).send("/mcp", init);
          // Read whole: only then is it known that the process did not end meanwhile.
          const { status, headers } = response;
          const body = await response.arrayBuffer();
          if (status !== 503 || isLast || !isDraining(body))
            return new Response(body.byteLength === 0 ? null : body, { status, headers });
        } catch (error) {
          if (!(error instanceof LostServer) || isLast) throw error;
        }
        if (current === client) current = null;
        await Bun.sleep(openAgainMs);
      }
    },
    async close(): Promise<void> {
      await (await current)?.close();
    },
  };
};

const isDraining = (body: ArrayBuffer): boolean => new TextDecoder().decode(body).includes('"code":"draining"');

/** What the HTTP transport reads from headers stands in the message itself. */
const routingHeaders = ({ method, params }: Message, agreed: string | null): Record<string, string> => {
  const claimed = params?._meta?.[versionKey];
  if (typeof claimed !== "string") return agreed === null ? {} : { "mcp-protocol-version": agreed };
  const name = method === "tools/call" ? params?.name : undefined;
  return {
    "mcp-protocol-version": claimed,
    "mcp-method": String(method),
    ...(typeof name === "string" ? { "mcp-name": headerText(name) } : {}),
  };
};

/** A header takes printable ASCII: other text is sent as the protocol encodes it. */
const headerText = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?")
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`;

/** The messages of an answer: JSON, or events of JSON. @param fail told why there are none */
async function* messagesOf(
  response: Response,
  fail: (text: string) => Promise<void> | undefined,
): AsyncGenerator<unknown, void, undefined> {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream") && response.body !== null)
    for await (const { data } of serverEvents(response.body)) yield data;
  else if (type.startsWith("application/json")) yield await response.json();
  else if (!response.ok) await fail(await problemOf(response));
}

const parseLine = (line: string): Message | null => {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
};

/** The lines of a stream that are not blank, until it ends or the signal fires. @throws UsageFailure for one that is too long */
async function* linesUntil(stream: NodeJS.ReadStream, stop: AbortSignal): AsyncGenerator<string, void, undefined> {
  const end = () => stream.destroy();
  stop.addEventListener("abort", end);
  let parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        const line = Buffer.concat([...parts, chunk.subarray(from, at)]).toString("utf8");
        from = at + 1;
        parts = [];
        bytes = 0;
        if (line.trim() !== "") yield line;
      }
      parts.push(chunk.subarray(from));
      bytes += chunk.length - from;
      if (bytes > maxLineBytes) throw new UsageFailure(`A message is longer than ${maxLineBytes} bytes.`);
    }
    const last = Buffer.concat(parts).toString("utf8");
    if (last.trim() !== "") yield last;
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    stop.removeEventListener("abort", end);
  }
}

/** One message a line, in the order of the calls; nothing else goes to standard output. */
const output = (message: unknown): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve());
  });
