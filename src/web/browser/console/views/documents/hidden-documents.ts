import { signal } from "@preact/signals";

/** Documents that are deleted for the reader, though the deletion waits for its "Undo" to pass. */
export const hiddenDocuments = signal<ReadonlySet<string>>(new Set());

export const hideDocuments = (ids: readonly string[]): void => {
  hiddenDocuments.value = new Set([...hiddenDocuments.peek(), ...ids]);
};

export const showDocuments = (ids: readonly string[]): void => {
  hiddenDocuments.value = new Set([...hiddenDocuments.peek()].filter((id) => !ids.includes(id)));
};
