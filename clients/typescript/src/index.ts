import type {
  Answer,
  AnswerEvent,
  BatchAnswer,
  DocumentStatusChange,
  IngestedDocument,
  IngestRequest,
  MessageEvent,
  MessageRequest,
  Operations,
  Problem,
  QuestionRequest,
} from "./api.ts";
import { type CallOptions, CarrelError, type RequestParts, request, type Send } from "./request.ts";
import { jsonLines, parseJson, type ServerEvent, serverEvents } from "./streams.ts";
import { type OnProgress, sendWithProgress } from "./upload.ts";

export type * from "./api.ts";
export { type CallOptions, CarrelError } from "./request.ts";
export type { OnProgress } from "./upload.ts";

export interface ClientOptions extends Omit<CallOptions, "signal"> {
  /** Where the server is reached, with the prefix that a proxy puts before its paths. */
  baseUrl: string;
  /** `crl_…`; none for public chats. */
  key?: string;
  /** In place of the platform's own. */
  fetch?: typeof globalThis.fetch;
}

/** Such as `GET /api/document/{id}`. */
export type Operation = keyof Operations;

/** What an operation takes. */
export type Input<Name extends Operation> = Omit<Operations[Name], "answer"> & CallOptions;

/** Options may be left out where nothing in them is required. */
type Inputs<Name extends Operation> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>];

/** Operations that answer with a page of records. */
export type ListOperation = {
  [Name in Operation]: Operations[Name] extends { query?: { skip?: number }; answer: { id: string }[] } ? Name : never;
}[Operation];

/** Operations that answer with bytes, of any type. */
type FileOperation = {
  [Name in Operation]: Operations[Name]["answer"] extends Response ? Name : never;
}[Operation];
const fileOperations = {
  "GET /api/document/{id}/file": true,
  "GET /api/export": true,
  "POST /api/check": true,
} satisfies Record<FileOperation, true>;

/** A stream's `error` event is thrown, as a CarrelError. */
type WithoutError<Event> = Exclude<Event, { event: "error" }>;

export interface UploadFields {
  /** Name of the document; needed for a Blob that is no File. */
  name?: string;
  partition?: string;
  partitionId?: string;
  /** Media type, where the content does not show it. */
  mimeType?: string;
  metadata?: Record<string, unknown>;
  /** With `metadata.externalId`: replaces the document of that id. */
  upsert?: boolean;
  /** Answers once the file is stored; `follow` tells when it is read. */
  async?: boolean;
}

export interface UploadOptions extends CallOptions {
  onProgress?: OnProgress;
  /** The same for each attempt: the file is stored once. A random one where none is given. */
  idempotencyKey?: string;
}

export type Client = ReturnType<typeof createClient>;

const defaultTimeoutMs = 120_000;
const defaultUploadMs = 3_600_000;
const defaultRetries = 2;
const pageSize = 100;

/** Operations that may be done twice, beside those that read or replace. */
const repeatable = new Set<string>(["POST /api/query", "POST /api/search"]);

/** A client of one server with one key. It holds nothing open: there is nothing to close. */
export const createClient = ({ baseUrl, key, fetch = globalThis.fetch, ...defaults }: ClientOptions) => {
  const base = baseUrl.replace(/\/$/, "");
  const sendByFetch: Send = ({ url, ...parts }, signal) => fetch(url, { ...parts, signal });

  /** @param idempotencyKey makes a POST one that may be repeated */
  const send = async (
    operation: string,
    { path = {}, query = {}, body, ...options }: AnyInput,
    {
      by = sendByFetch,
      type = "application/json",
      accept = "application/json",
      isStream = false,
      idempotencyKey,
      longestMs = defaultTimeoutMs,
    }: SendOptions = {},
  ): Promise<Response> => {
    const [method = "", template = ""] = operation.split(" ");
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
    const parts: RequestParts = {
      method,
      url: `${base}${filled}${search.size === 0 ? "" : `?${search}`}`,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined || body instanceof FormData ? {} : { "content-type": type }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        accept,
        ...defaults.headers,
        ...options.headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body) }),
    };
    return await request(by, parts, {
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? defaults.timeoutMs ?? longestMs,
      maxRetries: options.maxRetries ?? defaults.maxRetries ?? defaultRetries,
      isRepeatable: method === "GET" || method === "PUT" || repeatable.has(operation) || idempotencyKey !== undefined,
      isStream,
    });
  };

  const stream = async (operation: string, input: AnyInput, accept: string, type?: string) => {
    const response = await send(operation, input, { accept, isStream: true, ...(type === undefined ? {} : { type }) });
    if (!response.headers.get("content-type")?.startsWith(accept) || response.body === null)
      throw new CarrelError("unexpected_answer", response.status, `${base} answered no ${accept}.`);
    return response.body;
  };

  async function* events<Event>(operation: string, input: AnyInput, last: string | null): AsyncGenerator<Event> {
    let event: ServerEvent | undefined;
    for await (event of serverEvents(await stream(operation, input, "text/event-stream"))) {
      if (event.event === "error") {
        const { code, status, detail, errors = [], requestId } = event.data as Problem;
        throw new CarrelError(code, status, detail, { errors, requestId });
      }
      yield event as Event;
    }
    if (last !== null && event?.event !== last)
      throw new CarrelError("connection_failed", 0, "The stream ended before the answer did.");
  }

  /** Any operation with a JSON body or none. A file is a Response, to be read as a stream, a Blob or text. */
  const call = async <Name extends Operation>(
    operation: Name,
    ...[input = {} as Input<Name>]: Inputs<Name>
  ): Promise<Operations[Name]["answer"]> => {
    const isIngest = operation === "POST /api/ingest";
    const isFile = operation in fileOperations;
    const response = await send(operation, input, {
      accept: "*/*",
      isStream: isFile,
      ...(isIngest ? { idempotencyKey: headerOf(input, "idempotency-key") ?? randomKey() } : {}),
    });
    return (isFile ? response : await read(response)) as Operations[Name]["answer"];
  };

  return {
    call,

    /**
     * Every record of a list, page by page. Records that come meanwhile are not given twice; who deletes while the list is
     * read skips some, so collect first.
     */
    async *list<Name extends ListOperation>(
      operation: Name,
      ...[input = {} as Input<Name>]: Inputs<Name>
    ): AsyncGenerator<Operations[Name]["answer"][number]> {
      const { query = {}, ...options } = input as AnyInput;
      const size = Number(query.limit ?? pageSize);
      let before = new Set<unknown>();
      for (let skip = Number(query.skip ?? 0); ; skip += size) {
        const response = await send(operation, { ...options, query: { ...query, limit: size, skip } });
        const page = (await read(response)) as { id: unknown }[];
        for (const record of page) if (!before.has(record.id)) yield record as Operations[Name]["answer"][number];
        before = new Set(page.map(({ id }) => id));
        if (page.length < size) return;
      }
    },

    /** The answer to a question, whole. */
    ask: (question: Omit<QuestionRequest, "stream">, options: CallOptions = {}): Promise<Answer> =>
      call("POST /api/query", { ...options, body: question }),

    /** The answer to a question as it is written: `snippets`, then `delta`s, then `done` with the whole answer. */
    askStream: (question: Omit<QuestionRequest, "stream">, options: CallOptions = {}) =>
      events<WithoutError<AnswerEvent>>("POST /api/query", { ...options, body: question }, "done"),

    /** The answer to a chat's message as it is written. Not repeated: a message is stored as soon as it arrives. */
    sendStream: (chatId: string, message: Omit<MessageRequest, "stream">, options: CallOptions = {}) =>
      events<WithoutError<MessageEvent>>(
        "POST /api/chat/{id}/message",
        { ...options, path: { id: chatId }, body: message },
        "done",
      ),

    /** The states of a document until it is `processed` or `failed`. */
    async *follow(documentId: string, options: CallOptions = {}): AsyncGenerator<DocumentStatusChange> {
      const input = { ...options, path: { id: documentId } };
      for await (const { data } of events<{ data: DocumentStatusChange }>(
        "GET /api/document/{id}/events",
        input,
        "status",
      ))
        yield data;
    },

    /** Ingests a file: a File of a form, or what `openAsBlob` (Node), `Bun.file` or `new File([bytes], name)` give. */
    async upload(file: Blob, fields: UploadFields = {}, options: UploadOptions = {}): Promise<IngestedDocument> {
      const { onProgress, idempotencyKey = randomKey(), ...rest } = options;
      const form = new FormData();
      for (const [name, value] of Object.entries(fields))
        if (value !== undefined) form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
      // The last one: what belongs to the file is known before it comes.
      const name = fields.name ?? (file as Partial<File>).name;
      if (name === undefined) form.set("file", file);
      else form.set("file", file, name.split(/[/\\]/).at(-1) ?? name);
      const by = onProgress === undefined ? sendByFetch : sendWithProgress(fetch, onProgress);
      const response = await send(
        "POST /api/ingest/file",
        { ...rest, body: form },
        { by, idempotencyKey, longestMs: defaultUploadMs },
      );
      return (await read(response)) as IngestedDocument;
    },

    /**
     * Ingests many texts or addresses with one request. It is held in memory: a few thousand at a time. Faulty ones are told
     * by their number, from 1, and stop none of the others.
     */
    async *ingestBatch(documents: Iterable<IngestRequest>, options: CallOptions = {}): AsyncGenerator<BatchAnswer> {
      const type = "application/x-ndjson";
      const body = Array.from(documents, (document) => `${JSON.stringify(document)}\n`).join("");
      const answer = await stream("POST /api/ingest/batch", { ...options, body }, type, type);
      yield* jsonLines(answer) as AsyncGenerator<BatchAnswer>;
    },
  };
};

/** Not a UUID: browsers make those on pages of https alone. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

interface AnyInput extends CallOptions {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

interface SendOptions {
  by?: Send;
  type?: string;
  accept?: string;
  isStream?: boolean;
  idempotencyKey?: string;
  longestMs?: number;
}

const headerOf = ({ headers = {} }: CallOptions, name: string): string | undefined =>
  Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];

/** JSON as its value, text as a string. */
const read = async (response: Response): Promise<unknown> => {
  const type = response.headers.get("content-type") ?? "";
  const text = await response.text();
  if (type.startsWith("text/html"))
    throw new CarrelError("unexpected_answer", response.status, "A page was answered: is baseUrl a Carrel server's?");
  return /^text\/(markdown|plain)/.test(type) ? text : parseJson(text);
};
