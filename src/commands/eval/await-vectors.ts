import { CommandFailure } from "../../domain/thrown.ts";
import type { EmbedderStatus } from "../../embedder/embedder.ts";
import { type OperatorClient, readAnswer } from "../client/client.ts";

const lookEveryMs = 500;

/**
 * Waits until the documents have the vectors of the configured model: without them the figures would be those of the
 * built-in table. A key that may not see the embedder waits for nothing.
 * @throws CommandFailure if the model cannot be used
 */
export const awaitVectors = async (client: Pick<OperatorClient, "send">): Promise<void> => {
  for (;;) {
    const response = await client.send("/api/embedder");
    if (response.status === 403) return;
    const { pending, building, error } = await readAnswer<EmbedderStatus>(response);
    if (pending === 0 && building === null) return;
    if (error !== null) throw new CommandFailure(`The embedding model makes no vectors: ${error}`);
    await Bun.sleep(lookEveryMs);
  }
};
