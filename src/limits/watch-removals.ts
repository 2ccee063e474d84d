import type { DocumentStore } from "../store/contract.ts";
import type { Quotas } from "./quotas.ts";

/** Wraps the document store: what is removed or replaced makes room at once. */
export const watchRemovals = (documents: DocumentStore, { noteChange }: Pick<Quotas, "noteChange">): DocumentStore => ({
  ...documents,
  async remove(tenant, id) {
    const isRemoved = await documents.remove(tenant, id);
    noteChange(tenant.organizationId);
    return isRemoved;
  },
  async publish(document, text, snippets) {
    const published = await documents.publish(document, text, snippets);
    noteChange(document.organizationId);
    return published;
  },
  async relabel(tenant, id, change, more) {
    const changed = await documents.relabel(tenant, id, change, more);
    noteChange(tenant.organizationId);
    return changed;
  },
});
