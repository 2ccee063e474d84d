import type { Page } from "../store/contract.ts";

/** A longer answer is sent piece by piece, so that it is known when it has left. */
const longAnswerBytes = 256 * 1024;
const pieceBytes = 256 * 1024;
/** Of each long answer, the bytes it holds until it is sent. */
const heldBytes = new WeakMap<Response, number>();

/** What the answer holds in memory until it is sent; 0 for a short one and for one that is read from elsewhere. */
export const heldBytesOf = (response: Response): number => heldBytes.get(response) ?? 0;

/** An answer whose text is all there. */
export const textResponse = (text: string, init: { status: number; headers: Record<string, string> }): Response => {
  if (text.length <= longAnswerBytes) return new Response(text, init);
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

/** A JSON answer with a status or headers of its own; a handler that needs neither just returns the object. */
export const jsonResponse = (
  body: unknown,
  options: { status?: number; headers?: Record<string, string> } = {},
): Response => {
  return textResponse(JSON.stringify(body), {
    status: options.status ?? 200,
    headers: { "content-type": "application/json", ...options.headers },
  });
};

/** One page of a list as a JSON array, with how many there are in all in `X-Total-Count`. */
export const pageResponse = <T>(page: Page<T>, toJson: (item: T) => unknown): Response => {
  return jsonResponse(page.items.map(toJson), { headers: { "x-total-count": String(page.total) } });
};

/** An HTML page of Carrel's own. */
export const htmlResponse = (
  html: string,
  options: { status?: number; headers?: Record<string, string> } = {},
): Response => {
  return new Response(html, {
    status: options.status ?? 200,
    headers: { "content-type": "text/html; charset=utf-8", ...options.headers },
  });
};
