import type { Page } from "../store/contract.ts";

/** A longer answer is sent in pieces, so that its end is known. */
const maxWholeAnswerBytes = 256 * 1024;
const pieceBytes = 256 * 1024;
/** Bytes that each long answer holds until it is sent. */
const heldBytes = new WeakMap<Response, number>();

/** Bytes that the answer holds until it is sent; 0 for a short answer and for one that is read from a file. */
export const heldBytesOf = (response: Response): number => heldBytes.get(response) ?? 0;

/** An answer with a complete text. */
export const textResponse = (text: string, init: { status: number; headers: Record<string, string> }): Response => {
  if (text.length <= maxWholeAnswerBytes) return new Response(text, init);
  const bytes = Buffer.from(text);
  let sent = 0;
  const pieces = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(sent, sent + pieceBytes));
        sent += pieceBytes;
        if (sent >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const response = new Response(pieces, {
    ...init,
    headers: { ...init.headers, "content-length": String(bytes.length) },
  });
  heldBytes.set(response, bytes.length);
  return response;
};

/** A JSON answer with its own status or headers; a handler that needs neither returns the object. */
export const jsonResponse = (
  body: unknown,
  options: { status?: number; headers?: Record<string, string> } = {},
): Response => {
  return textResponse(JSON.stringify(body), {
    status: options.status ?? 200,
    headers: { "content-type": "application/json", ...options.headers },
  });
};

/** One page of a list as a JSON array, with the total number in `X-Total-Count`. */
export const pageResponse = <T>(page: Page<T>, toJson: (item: T) => unknown): Response => {
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
