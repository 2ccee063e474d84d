import { type MetadataFilter, readFilter } from "../../components/metadata-filter.ts";

/** What a question is asked over; all that is given must hold. */
export interface Scope {
  partition: { id: string; name: string } | null;
  document: { id: string; name: string } | null;
  /** Conditions on metadata, as the API takes them; empty: none. */
  metadata: MetadataFilter;
}

export const everything: Scope = { partition: null, document: null, metadata: {} };

export const isEverything = ({ partition, document, metadata }: Scope): boolean =>
  partition === null && document === null && Object.keys(metadata).length === 0;

/** The fields of a question. */
export const scopeFields = ({ partition, document, metadata }: Scope): object => ({
  ...(partition === null ? {} : { partitionId: partition.id }),
  ...(document === null ? {} : { documentId: document.id }),
  ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
});

/** The address of a question in the console. */
export const askAddress = (question: string, scope: Scope): string => {
  const query = new URLSearchParams();
  if (question !== "") query.set("q", question);
  if (scope.document !== null) query.set("document", scope.document.id);
  if (scope.partition !== null) query.set("partition", scope.partition.id);
  if (Object.keys(scope.metadata).length > 0) query.set("metadata", JSON.stringify(scope.metadata));
  return query.size === 0 ? "/ask" : `/ask?${query}`;
};

/** What an address asks; names of its document and partition are not known yet. */
export const readAddress = (query: Record<string, string | undefined>): { question: string; scope: Scope } => {
  return {
    question: query.q ?? "",
    scope: {
      document: query.document ? { id: query.document, name: "" } : null,
      partition: query.partition ? { id: query.partition, name: "" } : null,
      metadata: readFilter(query.metadata ?? ""),
    },
  };
};
