import type { DocumentRecord, IndexInfo, Tenant } from "../../domain/records.ts";
import type { Store } from "../../store/contract.ts";
import { embeddingInput } from "../../text/chunk/embedding-input.ts";
import { hashText } from "./analyzed-text.ts";

/** The owner of the text: its document, or another one of the tenant, may hold parts of the text already. */
export interface TextOwner {
  tenant: Tenant;
  /** As it stands in the store; null where it is new. */
  document: DocumentRecord | null;
}

/** Vectors of texts that the store holds for an index; empty where a lookup costs more than it saves. */
export type HeldVectors = (index: IndexInfo) => Promise<ReadonlyMap<string, Float32Array>>;

/** The vectors of larger documents are not read into memory. */
const maxChunks = 20_000;
const none: ReadonlyMap<string, Float32Array> = new Map();

/**
 * Finds vectors that need not be made again, also after a restart: those of the document's last text, since most of a
 * text stays the same when it changes, and those of a processed document with the same text. The first call reads the
 * store, further calls reuse the result.
 */
export const createHeldVectors = (
  { documents, indexes }: Pick<Store, "documents" | "indexes">,
  text: string,
  { tenant, document }: TextOwner,
): HeldVectors => {
  let lookup: Promise<ReadonlyMap<string, Float32Array>> | null = null;
  const lookUp = async (): Promise<ReadonlyMap<string, Float32Array>> => {
    const twin = await documents.getByTextHash(tenant, hashText(text));
    const holders = new Map([document, twin].flatMap((one) => (one ? [[one.id, one] as const] : [])));
    const small = [...holders.values()].filter(({ progress }) => progress.chunks <= maxChunks);
    const held = await indexes.snippetsOf(small);
    return new Map(
      [...held.values()]
        .flat()
        .flatMap((snippet) => (snippet.vector ? [[embeddingInput(snippet), snippet.vector]] : [])),
    );
  };
  return async (index) => {
    if (index.state !== "active") return none;
    lookup ??= lookUp();
    const found = await lookup;
    // Another index may have become active meanwhile: the vectors found belong to it then.
    return indexes.active().id === index.id ? found : none;
  };
};
