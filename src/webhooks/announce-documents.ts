import type { DocumentStore } from "../store/contract.ts";
import type { Outbox } from "./outbox.ts";

/** Wraps the document store: whatever way a document is processed, fails or is deleted, the outbox gets the event. */
export const announceDocuments = (documents: DocumentStore, outbox: Outbox): DocumentStore => ({
  ...documents,
  add(document, text) {
    const add = () => documents.add(document, text);
    return document.status === "failed" ? outbox.around("document.failed", document, add) : add();
  },
  async patch(tenant, id, change, pendingText) {
    const patch = () => documents.patch(tenant, id, change, pendingText);
    const { status } = change;
    const isFinal = status === "failed" || status === "processed";
    const before = isFinal ? await documents.get(tenant, id) : null;
    if (!isFinal || before === null) return await patch();
    return await outbox.around(`document.${status}`, { ...before, ...change }, patch, (changed) => changed !== null);
  },
  publish: (document, text, snippets) =>
    outbox.around("document.processed", document, () => documents.publish(document, text, snippets)),
  publishNew: (publications) =>
    outbox.around(
      "document.processed",
      publications.map(({ document }) => document),
      () => documents.publishNew(publications),
    ),
  async remove(tenant, id) {
    const before = await documents.get(tenant, id);
    if (before === null) return false;
    return await outbox.around("document.deleted", before, () => documents.remove(tenant, id), Boolean);
  },
});
