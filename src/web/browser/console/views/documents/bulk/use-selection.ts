import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { messageOf } from "../../../../../../domain/thrown.ts";
import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { toast } from "../../../components/toasts.tsx";
import { client } from "../../../state/session.ts";
import { hiddenDocuments } from "../hidden-documents.ts";
import { filtersOf, type ListQuery } from "../list-query.ts";
import { loadMatching, maxMatching } from "../order/load-matching.ts";
import { documentsStrings as texts } from "../strings.ts";

interface Selection {
  isAny(): boolean;
  all(): ReadonlyMap<string, DocumentRecord>;
  /** What is selected and not deleted, on any page, with what the shown rows tell of it now. */
  among(rows: readonly DocumentRecord[]): readonly DocumentRecord[];
  select(documents: readonly DocumentRecord[], isSelected: boolean): void;
  clear(): void;
  /** Selects all that match, as far as `maxMatching`; null while a shown row is not selected, or nothing else matches. */
  matching(rows: readonly DocumentRecord[], total: number): { label: string; isRunning: boolean; run(): void } | null;
}

/** Which documents are selected: they stay so on other pages and in other orders of the same list. */
export const useSelection = (query: ListQuery): Selection => {
  const selected = useSignal<ReadonlyMap<string, DocumentRecord>>(new Map());
  const isRunning = useSignal(false);
  const loading = useRef<AbortController | null>(null);
  const clear = () => {
    loading.current?.abort();
    isRunning.value = false;
    selected.value = new Map();
  };
  const filters = filtersOf(query);
  useEffect(() => clear, [filters]);

  const selectMatching = async (): Promise<void> => {
    const stop = new AbortController();
    loading.current = stop;
    isRunning.value = true;
    try {
      const { items } = await loadMatching(client, query, stop.signal);
      if (!stop.signal.aborted) selected.value = new Map(items.map((item) => [item.id, item]));
    } catch (error) {
      if (!stop.signal.aborted) toast(messageOf(error), "failed");
    }
    if (!stop.signal.aborted) isRunning.value = false;
  };

  return {
    isAny: () => selected.peek().size > 0,
    all: () => selected.value,
    among(rows) {
      const shown = new Map(rows.map((row) => [row.id, row]));
      return [...selected.value.values()]
        .filter(({ id }) => !hiddenDocuments.value.has(id))
        .map((document) => shown.get(document.id) ?? document);
    },
    select(documents, isSelected) {
      const next = new Map(selected.peek());
      for (const document of documents) {
        if (isSelected) next.set(document.id, document);
        else next.delete(document.id);
      }
      selected.value = next;
    },
    clear,
    matching(rows, total) {
      const most = Math.min(total, maxMatching);
      if (selected.value.size >= most || !rows.every(({ id }) => selected.value.has(id))) return null;
      return { label: texts.selectMatching(total, maxMatching), isRunning: isRunning.value, run: selectMatching };
    },
  };
};
