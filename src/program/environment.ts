import type { ChatModel, EmbeddingModel, FileParser, Reranker } from "../../providers/contract.ts";
import type { FetchUrl } from "../ingest/fetch/contract.ts";
import type { EmbeddedParts } from "../runtime/embedded-parts.ts";
import type { FindOllama } from "../settings/answer-model.ts";

/** The parts of the process that a command uses; tests bring their own. */
export interface Environment {
  env: Record<string, string | undefined>;
  /** Absolute. */
  cwd: string;
  /** Standard output: the result of the command, nothing else. */
  write(text: string): void;
  /** Standard error: progress, hints, failures, the log. */
  writeError(text: string): void;
  /** Characters that fit on a line of standard output; endless where it is no terminal. */
  columns: number;
  /** A person is watching standard error: progress may overwrite its own line. */
  isTerminal: boolean;
  embedded: EmbeddedParts | null;
  /** Fires when the process is asked to end; the reason is the signal's name. A second signal ends it at once. */
  stop: AbortSignal;
  /** Calls the listener whenever the process is asked to read its settings again (SIGHUP). */
  onReload(listener: () => void): void;
}

/** Parts that a caller brings instead of those the configuration names; tests do. */
export interface Parts {
  embeddings: EmbeddingModel;
  answerModel: ChatModel | null;
  reranker: Reranker | null;
  parser: FileParser;
  fetchUrl: FetchUrl;
  findOllama: FindOllama;
}
