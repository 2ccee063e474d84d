import type { ServerEvent } from "../http/sse.ts";
import type { Found, SourceWay } from "./sources.ts";

/** What is known of an answer before it is written. */
export interface Head {
  /** Of the receipt; of nothing else where there is none. */
  id: string;
  model: string;
  /** In seconds. */
  created: number;
  sources: SourceWay;
  baseUrl: string;
}

/** A whole answer. */
export interface Written {
  text: string;
  found: Found;
  promptTokens: number;
  outputTokens: number;
  isCut: boolean;
  /** Snippets and receipt; null where a model answered a text as it is. */
  carrel: { relevantSnippets: unknown[]; receipt: unknown } | null;
}

/** Why there is no whole answer, as OpenAI's errors say it. */
interface Failure {
  message: string;
  type: string;
  param: string | null;
  code: string;
}

/** How one of OpenAI's two interfaces writes an answer: whole, or as the events of a stream. */
export interface Format {
  whole(written: Written): object;
  /** Before the first text. */
  begin(found: Found): ServerEvent[];
  delta(text: string): ServerEvent[];
  end(written: Written): ServerEvent[];
  /** The last events of a stream that failed. */
  fail(failure: Failure): ServerEvent[];
}
