import { useEffect } from "preact/hooks";
import type { Document as DocumentRecord, DocumentSnippet } from "../../../shared/api.ts";
import { type Loaded, useLoaded } from "../../state/loaded.ts";
import { client } from "../../state/session.ts";
import { documentsChanged, statusChanges } from "../documents/record/document-actions.ts";

export interface WholeDocument {
  document: DocumentRecord;
  text: string;
  /** In the order of the text; at most `maxSnippets`. */
  snippets: readonly DocumentSnippet[];
  /** How many there are. */
  snippetCount: number;
}

const pageSize = 100;
/** More than a thousand pages of a book have. Of the rest, neither pages nor snippets are shown. */
const maxSnippets = 5_000;
const maxAtOnce = 4;

export const documentPath = (id: string, part = ""): string => `/api/document/${encodeURIComponent(id)}${part}`;

/** All snippets of a document: the first request tells how many, the others go side by side. */
const readSnippets = async (
  id: string,
  signal: AbortSignal,
): Promise<{ snippets: DocumentSnippet[]; total: number }> => {
  const read = (skip: number) =>
    client.list<DocumentSnippet>(documentPath(id, "/snippets"), { limit: pageSize, skip }, signal);
  const first = await read(0);
  const total = first.total ?? first.items.length;
  const pages = [first.items];
  let next = pageSize;
  const work = async (): Promise<void> => {
    while (next < Math.min(total, maxSnippets)) {
      const skip = next;
      next += pageSize;
      pages[skip / pageSize] = (await read(skip)).items;
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
  return { snippets: pages.flat(), total };
};

/** A document with its text and how it was cut; loaded again when it was changed here, and while it is being read. */
export const useDocument = (id: string): Loaded<WholeDocument> => {
  const loaded = useLoaded<WholeDocument>(
    async (signal) => {
      const [document, { snippets, total }] = await Promise.all([
        client.get<DocumentRecord>(documentPath(id), {}, signal),
        readSnippets(id, signal),
      ]);
      return { document, text: document.originalText ?? "", snippets, snippetCount: total };
    },
    [id, documentsChanged.value],
  );
  const { value, reload, set } = loaded;
  const status = value?.document.status;
  const isUnfinished = status === "pending" || status === "processing";
  useEffect(() => {
    if (!isUnfinished) return;
    const stop = new AbortController();
    const follow = async () => {
      for await (const state of statusChanges(client, id, stop.signal)) {
        if (state.status === "processed" || state.status === "failed") reload();
        else if (value !== undefined) set({ ...value, document: { ...value.document, reading: null, ...state } });
      }
    };
    follow().catch(() => {
      if (!stop.signal.aborted) setTimeout(reload, 2_000);
    });
    return () => stop.abort();
  }, [id, isUnfinished]);
  return loaded;
};
