import type { IndexInfo } from "../domain/records.ts";
import type { SnippetVector, Store } from "../store/contract.ts";
import { embeddingInputHash } from "../text/chunk/embedding-input.ts";
import { groupsOf } from "./document-groups.ts";

/** Documents looked up at a time. */
const pageSize = 256;
/** Snippets that are written together. */
const groupSnippets = 512;
/** No analysis has this version: the set answers as it is, and its vectors are taken over by the next one. */
const keptVersion = 0;

/**
 * Makes a vector set of what a search index of another model than the built-in one holds, as earlier versions made it, so
 * that none of its vectors is made again. Snippets without a vector get one of zeros. Continues after a restart.
 * @throws the signal's reason
 */
export const keepIndexVectors = async (
  { indexes, vectors }: Pick<Store, "indexes" | "vectors">,
  { provider, model, modelRevision, dimensions }: IndexInfo,
  signal: AbortSignal,
): Promise<void> => {
  const set = await vectors.begin({ provider, model, modelRevision, dimensions, analysisVersion: keptVersion });
  const zeros = new Float32Array(dimensions);
  do {
    for (;;) {
      const page = await vectors.lacking(pageSize);
      if (page.length === 0) break;
      for (const group of groupsOf(page, () => groupSnippets)) {
        signal.throwIfAborted();
        const held = await indexes.snippetsOf(group);
        const additions = group.map((document) => ({
          document,
          vectors: (held.get(document.id) ?? []).map(
            (snippet): SnippetVector => ({
              position: snippet.position,
              inputHash: embeddingInputHash(snippet),
              vector: snippet.vector ?? zeros,
            }),
          ),
        }));
        await vectors.add(set.id, additions);
      }
    }
  } while (vectors.building() !== null && !(await vectors.promote()));
};
