import type { DocumentTables } from "../documents/document-tables.ts";
import { equals } from "../engine/filters.ts";
import { unlessFull } from "./unless-full.ts";

/**
 * When the store opens, no document is being processed: those that were wait again. On a full disk their status stays,
 * and they are processed all the same.
 */
export const requeueProcessing = async ({ documents }: Pick<DocumentTables, "documents">): Promise<void> => {
  const interrupted = await documents.find({ where: equals("status", "processing") });
  const pending = interrupted.map((document) => ({
    ...document,
    status: "pending" as const,
    attempts: document.attempts + 1,
  }));
  await unlessFull(() => documents.upsert("reconcile", pending));
};
