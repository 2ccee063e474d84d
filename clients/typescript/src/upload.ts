import type { RequestParts, Send } from "./request.ts";

/** @param sent bytes of the request that have left, of `total` */
export type OnProgress = (sent: number, total: number) => void;

/**
 * Sends a form and tells how much of it is sent. In a browser by XMLHttpRequest, since `fetch` does not tell; the figures are
 * what the network has taken. Elsewhere the form is sent as a stream, and the figures are what the platform has taken to
 * send: somewhat ahead of the network.
 */
export const sendWithProgress =
  (fetch: typeof globalThis.fetch, onProgress: OnProgress): Send =>
  (parts, signal) => {
    const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => FormRequest };
    return XMLHttpRequest === undefined
      ? sendAsStream(fetch, parts, signal, onProgress)
      : sendInBrowser(new XMLHttpRequest(), parts, signal, onProgress);
  };

const sendAsStream = async (
  fetch: typeof globalThis.fetch,
  { url, method, headers, body }: RequestParts,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Response> => {
  // A response encodes the form, with the boundary in its type, which Bun forgets once the body is taken.
  const encoded = new Response(body);
  const type = encoded.headers.get("content-type") ?? "";
  const total = body instanceof FormData ? sizeOf(body) : 0;
  let sent = 0;
  const counted = encoded.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        sent += chunk.byteLength;
        onProgress(Math.min(sent, total), total);
      },
    }),
  );
  const init = { method, headers: { ...headers, "content-type": type }, body: counted ?? null, signal, duplex: "half" };
  return await fetch(url, init as RequestInit);
};

/** Bytes of its files: what is around them is little. */
const sizeOf = (form: FormData): number => {
  let bytes = 0;
  form.forEach((value) => {
    bytes += typeof value === "string" ? 0 : value.size;
  });
  return bytes;
};

/** What is used of XMLHttpRequest, which not every platform's types have. */
interface FormRequest {
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  responseType: string;
  readonly response: ArrayBuffer;
  readonly status: number;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: FormData): void;
  abort(): void;
}

const sendInBrowser = (
  request: FormRequest,
  { url, method, headers, body }: RequestParts,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const abort = () => request.abort();
    const end = (settle: () => void) => () => {
      signal.removeEventListener("abort", abort);
      settle();
    };
    signal.addEventListener("abort", abort);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = end(() => {
      const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
      const answered = lines.map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      });
      resolve(new Response(request.response, { status: request.status, headers: answered }));
    });
    request.onerror = end(() => reject(new TypeError("the request failed")));
    request.onabort = end(() => reject(signal.reason));
    request.responseType = "arraybuffer";
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body as FormData);
  });
