import { createHmac, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ApiError } from "../domain/errors.ts";
import type { SentOn, SharedRole } from "../http/shared-role.ts";
import { versionHeader } from "../http/shared-role.ts";

/** Who a request is from: see `senderMark`. */
export const senderHeader = "x-carrel-sent-on";
/** Clocks of two machines differ by less. */
const maxAgeMs = 600_000;

const senderSchema = Type.Object({
  clientAddress: Type.String(),
  operator: Type.Union([
    Type.Null(),
    Type.Object({
      organizationId: Type.String(),
      partitionId: Type.Null(),
      userId: Type.String(),
      role: Type.Literal("admin"),
      keyId: Type.Null(),
    }),
  ]),
  /** Epoch ms. */
  at: Type.Number(),
});

type Sender = Static<typeof senderSchema>;

const signatureOf = (secret: Uint8Array, method: string, target: string, payload: string): Buffer =>
  createHmac("sha256", secret).update(`sent on\n${method}\n${target}\n${payload}`).digest();

/** Says who a request is from, in a header that only a process of the same store can make. */
export const senderMark = (secret: Uint8Array, method: string, target: string, sender: Omit<Sender, "at">): string => {
  const payload = Buffer.from(JSON.stringify({ ...sender, at: Date.now() })).toString("base64url");
  return `${payload}.${signatureOf(secret, method, target, payload).toString("base64url")}`;
};

/** @returns null where a request carries no mark of a process of the same store */
export const senderFrom = (secret: Uint8Array, request: Request): Sender | null => {
  const [payload = "", signature = ""] = (request.headers.get(senderHeader) ?? "").split(".");
  if (payload === "") return null;
  const { pathname, search } = new URL(request.url);
  const expected = signatureOf(secret, request.method, pathname + search, payload);
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  let found: unknown;
  try {
    found = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  return Value.Check(senderSchema, found) && Math.abs(Date.now() - found.at) <= maxAgeMs ? found : null;
};

/** Headers that belong to one connection. */
const ofConnection = [
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  "expect",
  senderHeader,
];

/** An answer of this length is there in one go. */
const maxWholeBytes = 64 * 1024;

interface SendOnOptions {
  secret: Uint8Array;
  /** Where the process listens that writes; null while none does. */
  keeperAddress(): string | null;
  /** Fires when that process is another one, or none, from now on. */
  keeperGone(): AbortSignal;
  /** What this process has noted for the one that writes is there. */
  notesSent(): Promise<void>;
  reached: SharedRole["reached"];
}

const noKeeper = (): ApiError =>
  new ApiError("storage_unavailable", "No process of the shared store writes at the moment: another one takes over.", {
    headers: { "Retry-After": "5" },
  });

/** The pieces of an answer; where its client is gone, it ends without an error that nobody would get. */
const endingWithClient = (body: ReadableStream<Uint8Array>, client: AbortSignal): ReadableStream<Uint8Array> => {
  const pieces = async function* () {
    try {
      yield* body;
    } catch (error) {
      if (!client.aborted) throw error;
    }
  };
  return pieces() as unknown as ReadableStream<Uint8Array>;
};

/**
 * Sends requests on to the process that writes a shared store, and its answers back. What such a request stored can be read
 * here once it is answered.
 */
export const createSendOn = (options: SendOnOptions): NonNullable<SharedRole["sendOn"]> => {
  const { secret, keeperAddress, keeperGone, notesSent, reached } = options;
  return async (request: Request, from: SentOn): Promise<Response> => {
    // Who sent it on believed that this process writes: while the place changes hands two would send it to and fro.
    if (request.headers.has(senderHeader)) throw noKeeper();
    from.keepOpen();
    await notesSent();
    const address = keeperAddress();
    if (address === null) throw noKeeper();
    const target = from.path + (from.search === "" ? "" : `?${from.search}`);
    const url = new URL(address + target);
    const headers = new Headers(request.headers);
    for (const name of ofConnection) headers.delete(name);
    const { clientAddress, operator } = from;
    const sender = Value.Check(senderSchema.properties.operator, operator) ? operator : null;
    headers.set(
      senderHeader,
      senderMark(secret, request.method, url.pathname + url.search, { clientAddress, operator: sender }),
    );
    headers.set("x-request-id", from.requestId);
    const gone = keeperGone();
    let answer: Response;
    /** Null: its pieces are passed on as they come. */
    let whole: ArrayBuffer | null = null;
    try {
      answer = await fetch(url, {
        method: request.method,
        headers,
        body: request.body,
        redirect: "manual",
        decompress: false,
        signal: AbortSignal.any([from.signal, gone]),
      });
      // Once it is passed on, an answer that breaks off breaks the client's connection.
      const length = Number(answer.headers.get("content-length") ?? Number.NaN);
      if (answer.body !== null && length <= maxWholeBytes) whole = await answer.arrayBuffer();
      // Bun's fetch gives what it has of a connection that broke.
      if (whole !== null && whole.byteLength !== length) throw new Error("the answer broke off");
    } catch (error) {
      if (from.signal.aborted) throw error;
      throw noKeeper();
    }
    const version = Number(answer.headers.get(versionHeader) ?? 0);
    const kept = new Headers(answer.headers);
    for (const name of [...ofConnection, versionHeader]) kept.delete(name);
    if (request.method !== "GET" && request.method !== "HEAD" && Number.isInteger(version))
      await reached(version, from.signal);
    const body = whole ?? (answer.body === null ? null : endingWithClient(answer.body, request.signal));
    return new Response(body, { status: answer.status, headers: kept });
  };
};
