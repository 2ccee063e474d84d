import { signal } from "@preact/signals";
import MiniSearch from "minisearch";
import { api, guides } from "./content.ts";
import { apiEntries, type Entry, guideEntries } from "./search-entries.ts";

/** A place that was found, with the words of it that fit. */
export interface Found extends Entry {
  /** As they stand in the text, in lower case. */
  terms: readonly string[];
}

const maxFound = 10;
/** Entries that are read at a time: between them the page answers to keys. */
const readAtATime = 20;
/** A misspelled word of this many letters is still found. */
const minFuzzyLetters = 5;
/** Letters that may differ, as a share of the word. */
const fuzziness = 0.2;

const createIndex = () =>
  new MiniSearch<Entry & { id: number }>({
    fields: ["title", "names", "context", "text"],
    storeFields: ["address", "title", "context", "method", "names", "text"],
    searchOptions: {
      boost: { title: 4, names: 3, context: 1.5 },
      prefix: true,
      fuzzy: (term) => (term.length < minFuzzyLetters ? false : fuzziness),
      // Guides repeat their subject in many sections: what is named so comes first.
      boostDocument: (_, term, stored) =>
        String(stored?.title ?? "")
          .toLowerCase()
          .startsWith(term)
          ? 1.5
          : 1,
    },
  });

type Index = ReturnType<typeof createIndex>;

/** The index of what is loaded; it grows when more is. */
const searchIndex = signal<{ index: Index; parts: string } | null>(null);
let making = "";

/** Reads what is loaded into an index, with pauses. What was read already is not read again. */
export const makeIndex = async (): Promise<void> => {
  const parts = `${guides.value === null ? "" : "guides "}${api.value === null ? "" : "api"}`;
  if (parts === "" || parts === making) return;
  making = parts;
  const entries = [
    ...(guides.value === null ? [] : guideEntries(guides.value)),
    ...(api.value === null ? [] : apiEntries(api.value)),
  ].map((entry, id) => ({ ...entry, id }));
  const index = createIndex();
  await index.addAllAsync(entries, { chunkSize: readAtATime });
  if (making === parts) searchIndex.value = { index, parts };
};

/** Places that hold all words; where there is none, those that hold some. */
export const search = (text: string): Found[] => {
  const made = searchIndex.value;
  if (made === null || text.trim() === "") return [];
  const all = made.index.search(text, { combineWith: "AND" });
  const found = all.length > 0 ? all : made.index.search(text, { combineWith: "OR" });
  return found.slice(0, maxFound).map((each) => ({
    address: String(each.address),
    title: String(each.title),
    context: String(each.context),
    method: String(each.method),
    names: String(each.names),
    text: String(each.text),
    terms: each.terms,
  }));
};
