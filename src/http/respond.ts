import type { Page } from "../store/contract.ts";

/** A JSON answer with a status or headers of its own; a handler that needs neither just returns the object. */
export function jsonResponse(
  body: unknown,
  options: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status: options.status ?? 200,
    headers: { "content-type": "application/json", ...options.headers },
  });
}

/** One page of a list as a JSON array, with how many there are in all in `X-Total-Count`. */
export function pageResponse<T>(page: Page<T>, toJson: (item: T) => unknown): Response {
  return jsonResponse(page.items.map(toJson), { headers: { "x-total-count": String(page.total) } });
}

/** An HTML page of Carrel's own. */
export function htmlResponse(
  html: string,
  options: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(html, {
    status: options.status ?? 200,
    headers: { "content-type": "text/html; charset=utf-8", ...options.headers },
  });
}
