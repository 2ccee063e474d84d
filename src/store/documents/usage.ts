import { inParallel } from "../../async/in-parallel.ts";
import type { DocumentStore } from "../contract/documents.ts";
import { equals, visibleTo } from "../engine/filters.ts";
import type { DocumentTables } from "./document-tables.ts";

const maxConcurrentFiles = 16;

/** Measures what a tenant has stored. The texts are measured by LanceDB, on its own threads. */
export const createUsageMeter =
  ({ documents, texts, blobs }: Pick<DocumentTables, "documents" | "texts" | "blobs">): DocumentStore["usage"] =>
  async (tenant, withBytes) => {
    const visible = visibleTo(tenant);
    if (!withBytes) return { documents: await documents.count(visible), bytes: 0 };
    const ids = new Set<string>();
    const files = new Set<string>();
    await documents.visit(["id", "blobHash"], visible, (row) => {
      ids.add(row.string("id"));
      const blobHash = row.nullableString("blobHash");
      if (blobHash !== null) files.add(blobHash);
      return true;
    });
    let bytes = 0;
    await texts.visitLengths("documentId", "text", equals("organizationId", tenant.organizationId), (id, length) => {
      if (ids.has(id)) bytes += length;
    });
    await inParallel([...files], maxConcurrentFiles, async (hash) => {
      bytes += (await blobs.size(hash)) ?? 0;
    });
    return { documents: ids.size, bytes };
  };
