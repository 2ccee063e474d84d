import type { SettingSources } from "../config/sources.ts";
import type { ChatModel } from "../providers/contract.ts";
import type { KeepReceipt } from "./answers/answer-event.ts";
import type { PassageModel } from "./answers/quote/nearness.ts";
import type { Backups } from "./backup/backups.ts";
import type { IngestWork } from "./documents/ingest/ingest-work.ts";
import type { Tenant } from "./domain/records.ts";
import type { Embedder } from "./embedder/embedder.ts";
import type { Checkup } from "./health/checkup.ts";
import type { HttpDependencies } from "./http/dependencies.ts";
import type { IngestQueue } from "./ingest/work/queue.ts";
import type { ModelStates } from "./models/model-states.ts";
import type { Retrieval, RetrievalRequest } from "./retrieval/contract.ts";
import type { FindOllama } from "./settings/answer-model.ts";
import type { TriedParts } from "./settings/try-part.ts";
import type { PageFetcher } from "./sites/page-fetcher.ts";
import type { LoadPageFiles } from "./web/page-files.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** Everything the routes need, built once when the server starts and passed on as plain arguments. */
export interface Dependencies extends HttpDependencies {
  /** Finds the snippets for a question. */
  retrieve(tenant: Tenant, request: RetrievalRequest, signal: AbortSignal): Promise<Retrieval>;
  /** Null: answers are quoted from the documents, no model writes them. */
  answerModel: ChatModel | null;
  /** The built-in static model: compares sentences with a question. */
  passageModel: PassageModel;
  /** The built-in model that knows other words for the same; null where it is not used. */
  meaningModel: PassageModel | null;
  /** Left out: no receipt is kept. */
  keepReceipt?: KeepReceipt;
  embedder: Embedder;
  /** How the last calls of the configured models ended. */
  modelStates: ModelStates;
  /** When the newest backup was finished (epoch ms), null if there is none; left out if none are made. */
  newestBackupAt?: () => Promise<number | null>;
  /** What the refusal gate learned of each organization. */
  backups: Backups;
  checkup: Checkup;
  ingest: IngestQueue;
  /** Shared by the use cases that write documents. */
  work: IngestWork;
  /** Fetches the pages that scans find. */
  pages: PageFetcher;
  /** Where the settings were written. */
  settingSources: SettingSources;
  /** The settings file that was read, absolute; null for none. */
  settingsFile: string | null;
  /** Models and parsers that can be tried. */
  triedParts: TriedParts;
  /** Looks for an Ollama on this machine. */
  findOllama: FindOllama;
  webhooks: Webhooks;
  /** Scripts and styles of the pages. */
  pageFiles: LoadPageFiles;
  /** Version of the program. */
  version: string;
}
