import type { DocumentRecord, IndexInfo, Tenant } from "../../domain/records.ts";
import type { Store } from "../../store/contract.ts";
import { hashText } from "./analyzed-text.ts";
import { embeddingInput } from "./index-text.ts";

/** Whose text is embedded: the document may hold parts of it already, and so may another one of the tenant. */
export interface TextOwner {
  tenant: Tenant;
  /** As it stands in the store; null where it is new. */
  document: DocumentRecord | null;
}

/** Vectors of texts that the store holds for an index; empty where looking is not worth it. */
export type HeldVectors = (index: IndexInfo) => Promise<ReadonlyMap<string, Float32Array>>;

/** A larger document's vectors are not taken into memory for this. */
const MOST_CHUNKS = 20_000;
const none: ReadonlyMap<string, Float32Array> = new Map();

/**
 * Finds vectors that need not be made again, over restarts too: of the document's own last text, for most of a text stays
 * when it changes, and of a processed document with this very text. Looks once, when first asked.
 */
export const createHeldVectors = (
  { documents, indexes }: Pick<Store, "documents" | "indexes">,
  text: string,
  { tenant, document }: TextOwner,
): HeldVectors => {
  let looked: Promise<ReadonlyMap<string, Float32Array>> | null = null;
  const look = async (): Promise<ReadonlyMap<string, Float32Array>> => {
    const twin = await documents.getByTextHash(tenant, hashText(text));
    const holders = new Map([document, twin].flatMap((one) => (one ? [[one.id, one] as const] : [])));
    const worth = [...holders.values()].filter(({ progress }) => progress.chunks <= MOST_CHUNKS);
    const held = await indexes.snippetsOf(worth);
    return new Map(
      [...held.values()]
        .flat()
        .flatMap((snippet) => (snippet.vector ? [[embeddingInput(snippet), snippet.vector]] : [])),
    );
  };
  return async (index) => {
    if (index.state !== "active") return none;
    looked ??= look();
    const found = await looked;
    // Meanwhile another index may have become the active one: what was found is of that one then.
    return indexes.active().id === index.id ? found : none;
  };
};
