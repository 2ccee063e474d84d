import { createYielder } from "../async/yield.ts";
import type { Page } from "../store/contract.ts";
import { slicesOf } from "../text/slices.ts";
import type { OpenSpan } from "../tracing/tracer.ts";

/** Characters of a string that are written at a time: a fraction of a millisecond. */
const sliceCharacters = 64 * 1024;

/** A longer text is encoded with pauses for other work. */
const maxWholeCharacters = 256 * 1024;

/** Whether the strings of a value, all of them together, are too long to be written at once. */
export const isLongJson = (value: unknown): boolean => lengthOf(value, 0) > maxWholeCharacters;

/** Characters of the strings in a value, counted no further than is needed. */
const lengthOf = (value: unknown, before: number): number => {
  if (typeof value === "string") return before + value.length;
  if (typeof value !== "object" || value === null) return before;
  let length = before;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    length = lengthOf(member, length);
    if (length > maxWholeCharacters) break;
  }
  return length;
};

/**
 * The JSON of a value in pieces of at most some 100,000 characters: joined, what `JSON.stringify` writes. For plain
 * objects, as answers are; a value with a `toJSON` of its own is written at once.
 */
export function* jsonPieces(value: unknown): Generator<string, void, void> {
  if (typeof value === "string" && value.length > sliceCharacters) {
    yield '"';
    for (const slice of slicesOf(value, sliceCharacters)) yield JSON.stringify(slice).slice(1, -1);
    yield '"';
  } else if (typeof value !== "object" || value === null || "toJSON" in value || !isLongJson(value)) {
    yield JSON.stringify(value) ?? "null";
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? "[" : ",";
      yield* jsonPieces(item);
    }
    yield "]";
  } else {
    let before = "{";
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonPieces(member);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  }
}

/** Characters of a long answer that are encoded at a time: a fraction of a millisecond. */
const pieceCharacters = 64 * 1024;
/** Bytes that each long answer holds until it is sent. */
const heldBytes = new WeakMap<Response, number>();

/** Bytes that the answer holds until it is sent; 0 for a short answer and for one that is read from a file. */
export const heldBytesOf = (response: Response): number => heldBytes.get(response) ?? 0;

interface AnswerInit {
  status: number;
  headers: Record<string, string>;
}

/** An answer with a complete text. A long text is encoded with pauses, in which other requests are served. */
export const textResponse = (text: string, init: AnswerInit): Response | Promise<Response> =>
  text.length <= maxWholeCharacters ? new Response(text, init) : longResponse(slicesOf(text, pieceCharacters), init);

/** Encodes all pieces before anything is sent: the answer states its length. */
const longResponse = async (pieces: Iterable<string>, init: AnswerInit): Promise<Response> => {
  const yieldTurn = createYielder(new AbortController().signal);
  const encoded: Uint8Array[] = [];
  let length = 0;
  let waiting = "";
  const encode = (text: string): void => {
    const bytes = Buffer.from(text);
    encoded.push(bytes);
    length += bytes.length;
  };
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length < pieceCharacters) continue;
    encode(waiting);
    waiting = "";
    await yieldTurn();
  }
  encode(waiting);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const bytes = encoded[sent];
        // What is sent is let go.
        encoded[sent] = new Uint8Array(0);
        sent++;
        if (bytes !== undefined && bytes.length > 0) controller.enqueue(bytes);
        if (sent >= encoded.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const response = new Response(body, { ...init, headers: { ...init.headers, "content-length": String(length) } });
  heldBytes.set(response, length);
  return response;
};

/** A JSON answer with its own status or headers; a handler that needs neither returns the object. */
export const jsonResponse = (
  body: unknown,
  options: { status?: number; headers?: Record<string, string> } = {},
): Response | Promise<Response> => {
  const init = {
    status: options.status ?? 200,
    headers: { "content-type": "application/json", ...options.headers },
  };
  if (isLongJson(body)) return longResponse(jsonPieces(body), init);
  return new Response(JSON.stringify(body), init);
};

/** One page of a list as a JSON array, with the total number in `X-Total-Count`. */
export const listResponse = <T>(page: Page<T>, toJson: (item: T) => unknown): Response | Promise<Response> => {
  return jsonResponse(page.items.map(toJson), { headers: { "x-total-count": String(page.total) } });
};

/** An HTML page of Carrel. */
export const htmlResponse = (
  html: string,
  options: { status?: number; headers?: Record<string, string> } = {},
): Response => {
  return new Response(html, {
    status: options.status ?? 200,
    headers: { "content-type": "text/html; charset=utf-8", ...options.headers },
  });
};

/** A client that has taken nothing for this long is given up: it must hold no memory, model or connection for ever. */
export const maxStalledMs = 120_000;

/**
 * The response, with one call of `done`: immediately where the body is complete, else when its stream has been sent, has
 * failed, the client has gone away, or has stopped reading. An honest client may be slow: what it takes in steps of as
 * much as the system's buffers hold, it may take in minutes.
 * @param span what the stream is made of is part of it
 */
export const untilSent = (
  response: Response,
  span: Pick<OpenSpan, "within">,
  done: () => void,
  stalledMs = maxStalledMs,
): Response => {
  if (response.body === null || isWhole(response)) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  let stalled: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(stalled);
    done();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stalled);
        try {
          const chunk = await span.within(() => reader.read());
          if (chunk.done) {
            end();
            controller.close();
            return;
          }
          controller.enqueue(chunk.value);
        } catch (error) {
          end();
          controller.error(error);
          return;
        }
        stalled = setTimeout(() => {
          const reason = new Error("the client stopped reading");
          end();
          controller.error(reason);
          reader.cancel(reason).catch(() => {});
        }, stalledMs);
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    // Nothing is made before the client has room for it: each pull says that it took what came before.
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
};

/** Answers of these types consist of text that is complete already. */
export const isWhole = ({ headers }: Response): boolean =>
  !headers.has("content-length") &&
  /^(?:application\/(?:problem\+)?json|text\/(?:html|plain|javascript))\b/.test(headers.get("content-type") ?? "");

/** The answer to HEAD: what GET would have answered, without its body; a stream is canceled. */
export const withoutBody = async (response: Response): Promise<Response> => {
  const headers = new Headers(response.headers);
  if (isWhole(response)) {
    headers.set("content-length", String((await response.arrayBuffer()).byteLength));
  } else {
    await response.body?.cancel();
  }
  return new Response(null, { status: response.status, headers });
};
