import type { VectorStore } from "../contract/vectors.ts";
import { allOf, isOneOf } from "../engine/filters.ts";
import { filledSet } from "../search/live-vector-sets.ts";
import type { OpenVectorSets } from "../search/open-vector-sets.ts";
import type { DocumentTables } from "./document-tables.ts";

const isRefused = "vector IS NULL";

/** The texts that the model refused. */
export const createRefusedTexts = ({
  sets,
  documents,
  lacking,
  gate,
}: Pick<DocumentTables, "documents" | "lacking" | "gate"> & Pick<OpenVectorSets, "sets">): Pick<
  VectorStore,
  "refused" | "reopen"
> => ({
  async refused() {
    const set = filledSet(sets);
    if (set === null) return [];
    const columns = ["organizationId", "documentId", "revision", "inputHash"];
    const rows = await set.segments.scan(columns, isRefused, (row) => ({
      organizationId: row.string("organizationId"),
      documentId: row.string("documentId"),
      revision: row.string("revision"),
      inputHash: row.string("inputHash"),
    }));
    return [...Map.groupBy(rows, ({ revision }) => revision)].map(([revision, own]) => ({
      organizationId: own[0]?.organizationId ?? "",
      documentId: own[0]?.documentId ?? "",
      revision,
      inputHashes: [...new Set(own.map(({ inputHash }) => inputHash))],
    }));
  },
  async reopen(setId, refused) {
    if (refused.length === 0) return;
    // The gate holds back all publishing: no document is replaced between the two changes.
    await gate.exclusive(async () => {
      const set = filledSet(sets);
      if (set === null || set.info.id !== setId) return;
      await lacking.ready();
      const revisions = refused.map(({ revision }) => revision).filter(lacking.isWhole);
      const ids = refused.map(({ documentId }) => documentId);
      const found = await documents.find({ where: isOneOf("id", ids) });
      await set.segments.removeWhere(allOf(isOneOf("revision", revisions), isRefused));
      for (const { id, organizationId, revision, createdAt } of found)
        if (revision !== null && revisions.includes(revision))
          lacking.reopen({ id, organizationId, revision, createdAt });
    });
  },
});
