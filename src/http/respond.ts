import { createYielder } from "../async/yield.ts";
import type { Page } from "../store/contract.ts";
import { slicesOf } from "../text/slices.ts";
import { isLongJson, jsonPieces, maxWholeCharacters } from "./json-pieces.ts";

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
