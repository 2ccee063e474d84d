import type { Config } from "../../config/schema.ts";
import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import { CommandFailure } from "../domain/command-failure.ts";
import { ApiError } from "../domain/errors.ts";
import type { Logger } from "../log.ts";
import type { Store } from "../store/contract.ts";
import { openStore } from "../store/open.ts";
import { StoreDamagedError } from "../store/recovery/check-table.ts";
import { DataDirInUseError } from "../store/recovery/lock.ts";
import { analysisVersion } from "../text/analysis/analyze.ts";

export interface ConfiguredStoreOptions {
  config: Pick<Config, "dataDir" | "models">;
  embeddings: EmbeddingModel;
  log: Logger;
  /** See `ProgramOptions`. */
  eraseWithinMs: number | undefined;
}

/**
 * Opens the store. A new one whose embedding model cannot be reached gets its index later: nothing waits for a model
 * server.
 * @throws CommandFailure that says why it cannot be opened
 */
export const openConfiguredStore = async (options: ConfiguredStoreOptions): Promise<Store> => {
  const { config, embeddings, log, eraseWithinMs } = options;
  const { dataDir, models } = config;
  const { provider, model, revision } = embeddings;
  return openStore({
    dataDir,
    log,
    ...(eraseWithinMs === undefined ? {} : { eraseWithinMs }),
    index: async () => ({
      provider,
      model,
      modelRevision: revision ?? "",
      dimensions: models.embedding.dimensions ?? (await askDimensions(embeddings)),
      analysisVersion,
    }),
  }).catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    if (error instanceof DataDirInUseError || error instanceof StoreDamagedError)
      throw new CommandFailure(error.message);
    log.debug({ err: error }, "the store could not be opened");
    throw new CommandFailure(`The data in ${dataDir} cannot be opened: ${reasonOf(error)}`);
  });
};

/** How long the first start waits for the embedding model to tell the length of its vectors. */
const firstAnswerMs = 2_000;

/** Length of the model's vectors; 0 where it cannot be asked now. */
const askDimensions = (embeddings: EmbeddingModel): Promise<number> =>
  Promise.race([
    embeddings.dimensions(AbortSignal.timeout(firstAnswerMs)),
    Bun.sleep(firstAnswerMs).then(() => 0),
  ]).catch((error: unknown) => {
    if (error instanceof ProviderError) return 0;
    throw error;
  });

/** Without the traces that LanceDB's own errors carry behind the first sentence. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split(/\sCaused by:|, \/\S+\.rs:/)[0]?.trim() ?? "";
