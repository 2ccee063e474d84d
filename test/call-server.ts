export interface CallOptions {
  /** Null or left out: none is sent. */
  key?: string | null;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, or as a URL-encoded form. */
  body?: string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  text: string;
  /** Null where it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
  body: any;
}

/** The fields of a form, files among them. */
export const formOf = (fields: Record<string, string | Blob>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

/** One request to a server of a test. Redirects are not followed. */
export const sendRequest = (
  url: string,
  method: string,
  path: string,
  { key = null, json, body, headers, signal }: CallOptions = {},
): Promise<Response> =>
  fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
    ...(signal === undefined ? {} : { signal }),
  });

/** `sendRequest`; its answer, read to the end. */
export const callServer = async (
  url: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> => {
  const response = await sendRequest(url, method, path, options);
  const bytes = await response.bytes();
  const text = new TextDecoder().decode(bytes);
  const isJson = /\/(problem\+)?json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : null,
  };
};
