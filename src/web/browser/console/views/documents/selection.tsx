import { useSignal } from "@preact/signals";
import { Trash2 } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import { messageOf } from "../../../../../domain/errors.ts";
import type { Document as DocumentRecord, Partition } from "../../../shared/api.ts";
import { Icon } from "../../../shared/controls.tsx";
import { Menu } from "../../components/menu.tsx";
import { toast } from "../../state/messages.ts";
import { client, session } from "../../state/session.ts";
import { filtersOf, type ListQuery } from "./list-query.ts";
import { loadMatching, maxMatching } from "./load-list.ts";
import { hiddenDocuments, moveDocuments, retryDocuments } from "./record/document-actions.ts";
import { recordStrings, rereadStrings } from "./record/strings.ts";
import { documentsStrings as texts } from "./strings.ts";

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

interface BulkBarProps {
  documents: readonly DocumentRecord[];
  partitions: readonly Partition[];
  /** Selects what matches on the other pages too; null: nothing does. */
  selectMatching: { label: string; isRunning: boolean; run(): void } | null;
  onDone(): void;
  onDelete(): void;
  onReread(): void;
}

/** In place of the filters while rows are selected: what can be done with them. */
export const BulkBar = ({ documents, partitions, selectMatching, onDone, onDelete, onReread }: BulkBarProps) => {
  const act = (run: () => unknown) => () => {
    onDone();
    void run();
  };
  const places = [
    { label: texts.noPartition, run: act(() => moveDocuments(client, documents, null)) },
    ...partitions.map(({ id, name }) => ({ label: name, run: act(() => moveDocuments(client, documents, id)) })),
  ];
  return (
    <div class="filters bulk">
      <span role="status">{texts.selected(documents.length)}</span>
      {selectMatching !== null && (
        <button type="button" class="link" disabled={selectMatching.isRunning} onClick={selectMatching.run}>
          {selectMatching.isRunning ? texts.selecting : selectMatching.label}
        </button>
      )}
      {session.value?.partitionId === null && partitions.length > 0 && <Menu label={texts.move} items={places} />}
      {documents.some(({ status }) => status === "failed") && (
        <button type="button" onClick={act(() => retryDocuments(client, documents))}>
          {recordStrings.retry}
        </button>
      )}
      <button type="button" onClick={onReread}>
        {rereadStrings.open}
      </button>
      <button type="button" class="danger" onClick={onDelete}>
        <Icon icon={Trash2} />
        {recordStrings.delete}
      </button>
      <button type="button" class="quiet" onClick={onDone}>
        {texts.clearSelection}
      </button>
    </div>
  );
};
