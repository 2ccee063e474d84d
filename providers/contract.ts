/**
 * What an adapter promises. Each vendor has a folder with its adapters; `test/providers/chat-conformance.ts` and
 * `embedding-conformance.ts` check them all.
 *
 * Promises common to all: every call takes an AbortSignal and has a time limit of its own; an abort stops the work
 * at the server if the protocol allows it; a failure is a ProviderError and nothing else; no error message
 * contains a key or token.
 */

export type ProviderErrorKind =
  /** No connection: refused, no such host, reset, TLS. */
  | "unreachable"
  /** The server was silent for longer than the time limit. */
  | "timeout"
  /** The server refused, or its answer cannot be used. */
  | "bad_answer"
  /** 429 or "server busy", for longer than the call could wait. */
  | "rate_limited"
  /** The server does not have the configured model. */
  | "model_missing"
  /** 401 or 403. */
  | "unauthorized"
  /** The input does not fit the model's context. */
  | "too_long"
  /** The caller's signal fired. */
  | "aborted";

/** Sizes in tokens that a server named when it refused a prompt as too long; null if it named none. */
export interface PromptSizes {
  limitTokens: number | null;
  promptTokens: number | null;
}

/**
 * Failure of an outside model or parser. `message` is for the operator: it says what happened and what to do next, and
 * may contain the server's address and words. src/models/model-failure.ts makes the message for others.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ProviderErrorKind;
  /** What failed; decides between the error codes `model_*` and `parser_*`. */
  readonly service: "answer" | "embedding" | "reranker" | "parser";
  /** The HTTP status of the answer, if there was one. */
  readonly status: number | null;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | null;
  /** The server's reason, shortened and without the key; null if it gave none. */
  readonly serverWords: string | null;
  /** Only with `too_long`, and only if the server named them. */
  readonly sizes: PromptSizes | null;
  /** The answer was empty. On some servers a prompt that is too long ends this way. */
  readonly wasEmpty: boolean;

  constructor(
    service: ProviderError["service"],
    kind: ProviderErrorKind,
    message: string,
    options: {
      status?: number;
      retryAfterMs?: number;
      serverWords?: string;
      sizes?: PromptSizes | null;
      wasEmpty?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.service = service;
    this.kind = kind;
    this.status = options.status ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.serverWords = options.serverWords ?? null;
    this.sizes = options.sizes ?? null;
    this.wasEmpty = options.wasEmpty ?? false;
  }
}

/** Turns texts into vectors. */
export interface EmbeddingModel {
  readonly provider: string;
  readonly model: string;
  /**
   * Changes with everything else that changes its vectors: the table of a built-in model, the prefix of documents.
   * Vectors of different revisions cannot be compared. Left out if nothing else does.
   */
  readonly revision?: string;
  /**
   * Length of every vector. Known at once for built-in models; others ask their server once.
   * @throws ProviderError
   */
  dimensions(signal: AbortSignal): Promise<number>;
  /**
   * One unit-length vector a text, in the order given; finite numbers only. A text that is too long for the model is
   * split and pooled, never cut. An empty list gives an empty list; an empty text gives a zero vector.
   * `kind` chooses the model's query or document prefix.
   * @throws ProviderError
   */
  embed(texts: readonly string[], kind: "query" | "document", signal: AbortSignal): Promise<Float32Array[]>;
  /**
   * Weight of this model's cosine in the fusion, 0 to 1, for this query: smaller if the model does not know the
   * query's language or words (src/retrieval/scores/fuse.ts).
   */
  fusionWeight(query: string): number;
  /** Of the built-in static model: what another thread makes the same vectors from. Left out by all others. */
  readonly table?: SharedArrayBuffer;
  /** Ends its threads, and resolves when they are gone; left out if it has none. */
  close?(): Promise<void>;
}

export interface ChatTurn {
  role: "system" | "user" | "assistant";
  content: string;
}

export type ChatEvent =
  | { type: "delta"; text: string }
  | {
      type: "done";
      /** `length`: cut by `maxOutputTokens` or by the context's end; `filtered`: by the server, for its content. */
      finishReason: "stop" | "length" | "filtered";
      /** Tokens as the server counted them; null if it does not say. */
      promptTokens: number | null;
      outputTokens: number | null;
      /** The model that answered; null if the server does not say. */
      model: string | null;
      /** The server read only a part of the prompt, and said so by its count alone. */
      isPromptCut?: true;
    };

/** Replaces the settings for one call. */
export interface ChatOptions {
  /** Longest output in tokens. */
  maxOutputTokens: number;
  /** False: a model that can think is asked not to, even if the setting allows it. */
  think?: false;
  /** As `models.answer.temperature`. */
  temperature?: number;
}

/** Writes answers. */
export interface ChatModel {
  readonly provider: string;
  readonly model: string;
  /** The context the model really has, in tokens: a setting, else what the server says, else a small assumed size. */
  contextTokens(signal: AbortSignal): Promise<number>;
  /** Never fewer tokens than the server will count, within reason. */
  estimateTokens(text: string): number;
  /** How many tokens the server recently counted for each estimated one, at least 1; left out if not measured. */
  learnedFactor?(): number;
  /**
   * Deltas, then exactly one `done`. A stream that ends without its end mark throws. Leaving the loop stops the
   * generation at the server. `timeoutMs` in the configuration limits the silence of text, whatever else the server sends.
   * Text is clean (src/text/clean-text.ts, `shownText`) and has at most `maxOutputTokens` tokens by our own count.
   * @throws ProviderError
   */
  chat(turns: readonly ChatTurn[], signal: AbortSignal, options?: ChatOptions): AsyncIterable<ChatEvent>;
}

/** Scores passages against a query. */
export interface Reranker {
  readonly provider: string;
  readonly model: string;
  /** One score a passage in the order given, larger is better. @throws ProviderError */
  rerank(query: string, passages: readonly string[], signal: AbortSignal): Promise<number[]>;
}

/** The text of a file. */
export interface ParsedFile {
  /** Title of the document as it states it, or null. */
  title: string | null;
  /** Markdown; tables as pipe tables, headings as `#`. This is the document's text. */
  text: string;
  /** Where each page (or sheet, or slide) begins in `text`, ascending; empty if the format has none. */
  pages: { page: number; start: number }[];
  /** The type that the content shows. */
  mimeType: string;
  /** What the reader of the document should know: pages without text, parts left out. */
  warnings: string[];
  /** What the writer stated of the document: author, date, tags. Added to its metadata. */
  properties?: FileProperties;
}

/** What a file states of itself, by the names under which it becomes metadata of the document. */
export const filePropertyNames = [
  "title",
  "author",
  "date",
  "created",
  "updated",
  "description",
  "tags",
  "keywords",
  "categories",
  "aliases",
  "language",
] as const;
export type FileProperties = { [Name in (typeof filePropertyNames)[number]]?: string | string[] };

/** A file to parse. Name and declared type count only if the content does not show the type. */
export interface FileToParse {
  bytes: Uint8Array;
  name: string | null;
  mimeType: string | null;
  /** Where it was fetched from: links in it are resolved against this. */
  baseUrl?: string | null;
  /** Charset that the server declared; the content takes precedence. */
  charset?: string | null;
}

/** The page of a file that is being read now, counted from 1, and how many it has. */
export interface PageReached {
  page: number;
  pages: number;
}

/** Reads files. Faults of the file itself are `ApiError`s 415 and 422 (see src/domain/errors.ts). */
export interface FileParser {
  /**
   * @param onPage called from time to time where the format has pages that take a while; a parser may leave it out
   * @throws ApiError for faults of the file, ProviderError for faults of the parser
   */
  parse(file: FileToParse, signal: AbortSignal, onPage?: (reached: PageReached) => void): Promise<ParsedFile>;
}
