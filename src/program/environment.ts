import type { SettingSources } from "../../config/entry.ts";
import type { Config } from "../../config/schema.ts";
import type { ChatModel, EmbeddingModel, FileParser, Reranker } from "../../providers/contract.ts";
import type { SharedRole } from "../http/shared-role.ts";
import type { FetchUrl } from "../ingest/fetch/contract.ts";
import type { Logger } from "../log/log.ts";
import type { EmbeddedParts } from "../runtime/embedded-parts.ts";
import type { FindOllama } from "../settings/list-settings.ts";
import type { Replication, Store } from "../store/contract.ts";

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

/** What a caller may say of the program, whatever opens it. */
export interface ProgramSettings {
  /** Native parts that the compiled binary carries; none unless given. */
  embedded?: EmbeddedParts | null;
  /** Where native parts are unpacked; `<dataDir>/runtime` where not given. */
  runtimeFolder?: string;
  parts?: Partial<Parts>;
  /** Where the settings were written; nowhere unless given: all are defaults. */
  settingSources?: SettingSources;
  /** The file that was read, absolute; none unless given. */
  settingsFile?: string | null;
  /** How soon removed data has left the disk; the store's own limit unless given. */
  eraseWithinMs?: number;
  /** Program and arguments of the process that does the upkeep of tables; this process does it unless given. */
  upkeepCommand?: readonly string[];
}

export interface ProgramOptions extends ProgramSettings {
  config: Config;
  log: Logger;
  /** Opens the store; unless given, the one in the data directory. */
  openStore?(standard: OpenStandardStore): Promise<Store>;
  /** See `SharedRole`. */
  shared?: SharedRole;
}

/** Opens the store in the data directory, which this process then writes. */
export type OpenStandardStore = (replication?: Replication) => Promise<Store>;
