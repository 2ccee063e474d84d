/** Whether this is the built-in table that makes the vectors of the search index. */
export const isBuiltinStatic = ({ provider, model }: { provider: string; model: string }): boolean =>
  provider === "builtin" && model === "static";

/**
 * What known embedding models were trained to see before a query and a document (their model cards), by a part of
 * their name. A model that is not here gets no prefix; `models.embedding.queryPrefix` and `documentPrefix` override.
 */
const known: readonly { name: RegExp; query: string; document: string }[] = [
  { name: /nomic-embed/i, query: "search_query: ", document: "search_document: " },
  {
    name: /e5-mistral|e5.*instruct/i,
    query: "Instruct: Given a question, retrieve passages that answer it\nQuery: ",
    document: "",
  },
  { name: /(^|[-_/])e5([-_:]|$)/i, query: "query: ", document: "passage: " },
  {
    name: /mxbai-embed|(^|\/)bge-(small|base|large)-en|snowflake-arctic-embed(?!2)/i,
    query: "Represent this sentence for searching relevant passages: ",
    document: "",
  },
  { name: /snowflake-arctic-embed2|arctic-embed-.*v2/i, query: "query: ", document: "" },
  {
    name: /qwen3-embedding/i,
    query: "Instruct: Given a question, retrieve passages that answer it\nQuery: ",
    document: "",
  },
  { name: /embeddinggemma/i, query: "task: search result | query: ", document: "title: none | text: " },
];

interface Prefixes {
  query: string;
  document: string;
}

/** The prefixes for queries and documents: as configured, else those known for the model, else empty. */
export const prefixesOf = (
  model: string,
  configured: { queryPrefix: string | null; documentPrefix: string | null },
): Prefixes => {
  const own = known.find(({ name }) => name.test(model));
  return {
    query: configured.queryPrefix ?? own?.query ?? "",
    document: configured.documentPrefix ?? own?.document ?? "",
  };
};

/** The part of a model's revision (see `EmbeddingModel.revision`) that its prefixes make. */
export const prefixRevision = ({ query, document }: Prefixes): string =>
  query === "" && document === "" ? "" : JSON.stringify({ query, document });

/** The prefixes in a revision that `prefixRevision` made; null for other revisions. */
export const prefixesIn = (revision: string): Prefixes | null => {
  if (revision === "") return { query: "", document: "" };
  try {
    const { query, document } = JSON.parse(revision) as { query?: unknown; document?: unknown };
    return typeof query === "string" && typeof document === "string" ? { query, document } : null;
  } catch {
    return null;
  }
};

/** Whether documents get the same vectors in both revisions: the prefix of queries does not matter. */
export const isSameForDocuments = (one: string, other: string): boolean => {
  if (one === other) return true;
  const prefixes = prefixesIn(one);
  return prefixes !== null && prefixes.document === prefixesIn(other)?.document;
};
