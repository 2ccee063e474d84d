/**
 * What an adapter promises. One file a vendor implements these; one conformance suite
 * (`test/providers/conformance.ts`) checks them all.
 *
 * Promises common to all: every call takes an AbortSignal and has a time limit of its own; an abort stops the work
 * at the far side where the protocol allows; a failure is a ProviderError and nothing else; no key or bearer token
 * ever stands in an error's message.
 */

export type ProviderErrorKind =
  /** No connection: refused, no such host, reset, TLS. */
  | "unreachable"
  /** Longer silent than the time limit. */
  | "timeout"
  /** The server said no, or something that cannot be used. */
  | "bad_answer"
  /** 429 or "server busy", past what could be waited out. */
  | "rate_limited"
  /** The configured model is not there. */
  | "model_missing"
  /** 401 or 403. */
  | "unauthorized"
  /** The input does not fit the model's context. */
  | "too_long"
  /** The caller's signal fired. */
  | "aborted";

/** Sizes in tokens that a server told when it refused a prompt as too long; null where it did not tell. */
export interface PromptSizes {
  limitTokens: number | null;
  promptTokens: number | null;
}

/**
 * Failure of an outside model or parser. `message` is for the operator: it says what happened and what to do next, and
 * may hold the server's address and its own words. What others are told is made in model-failure.ts.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ProviderErrorKind;
  /** Which side failed; chooses between `model_*` and `parser_*` codes. */
  readonly service: "answer" | "embedding" | "reranker" | "parser";
  /** HTTP status the far side gave, if any. */
  readonly status: number | null;
  /** What the far side asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** What the far side said of its refusal, shortened and without the key; null where it said nothing. */
  readonly serverWords: string | null;
  /** Only with `too_long`, and only where the server told them. */
  readonly sizes: PromptSizes | null;
  /** The answer had not a single byte: so ends, on some servers, a prompt that is too long. */
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
   * Changes with whatever else changes its vectors: the table of a built-in model, the prefix of documents. Vectors of
   * different revisions do not compare. Left out where there is nothing of the kind.
   */
  readonly revision?: string;
  /**
   * Length of every vector. Known at once for built-in models; others ask their server the first time.
   * @throws ProviderError
   */
  dimensions(signal: AbortSignal): Promise<number>;
  /**
   * One unit-length vector a text, in the order given; finite numbers only. A text too long for the model is split
   * and pooled, never cut. An empty list gives an empty list; an empty text gives a zero vector.
   * `kind` chooses the model's query or document prefix.
   * @throws ProviderError
   */
  embed(texts: readonly string[], kind: "query" | "document", signal: AbortSignal): Promise<Float32Array[]>;
  /**
   * Weight of this model's cosine in the fusion, 0 to 1, for this query: smaller where the model does not know the
   * query's language or words (retrieval.md, "Fusion": alpha times g).
   */
  fusionWeight(query: string): number;
  /** Ends what it holds (threads); left out where it holds nothing. */
  close?(): void;
}

export interface ChatTurn {
  role: "system" | "user" | "assistant";
  content: string;
}

export type ChatEvent =
  | { type: "delta"; text: string }
  | {
      type: "done";
      /** `length`: cut by `maxOutputTokens` or by the context's end; `filtered`: by the server, for what it says. */
      finishReason: "stop" | "length" | "filtered";
      /** Tokens as the server counted them; null where it does not say. */
      promptTokens: number | null;
      outputTokens: number | null;
      /** The model that answered, where the server tells. */
      model: string | null;
    };

/** What one call asks for in place of the settings. */
export interface ChatOptions {
  /** Longest output in tokens. */
  maxOutputTokens: number;
  /** False: a model that can think is asked not to, whatever the setting. */
  think?: false;
}

/** Writes answers. */
export interface ChatModel {
  readonly provider: string;
  readonly model: string;
  /** The context the model really has, in tokens: a setting, else what the server says, else a safe small guess. */
  contextTokens(signal: AbortSignal): Promise<number>;
  /** Never fewer tokens than the server will count, within reason. */
  estimateTokens(text: string): number;
  /** Tokens that the server lately counted for each one estimated, at least 1; left out where nobody learns it. */
  learnedFactor?(): number;
  /**
   * Deltas, then exactly one `done`. A stream that ends without its end mark throws. Leaving the loop stops the
   * generation at the server. `timeoutMs` of the configuration is the longest silence.
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

/** A file's text as the rest of Carrel wants it. */
export interface ParsedFile {
  /** Title of the document as it states it, or null. */
  title: string | null;
  /** Markdown; tables as pipe tables, headings as `#`. This is the document's text. */
  text: string;
  /** Where each page (or sheet, or slide) begins in `text`, ascending; empty where the format has none. */
  pages: { page: number; start: number }[];
  /** The type that the content showed. */
  mimeType: string;
  /** What a reader should know: pages without text, parts passed over. */
  warnings: string[];
}

/** What is to be parsed. The name and the declared type only count where the content cannot tell. */
export interface FileToParse {
  bytes: Uint8Array;
  name: string | null;
  mimeType: string | null;
  /** Where it was fetched from: links in it are resolved against this. */
  baseUrl?: string | null;
  /** Charset that the far side declared; the content decides over it. */
  charset?: string | null;
}

/** Reads files. Failures the file itself is to blame for are `ApiError`s 415 and 422 (see src/domain/errors.ts). */
export interface FileParser {
  /** @throws ApiError for the file's own faults, ProviderError for the parser's */
  parse(file: FileToParse, signal: AbortSignal): Promise<ParsedFile>;
}
