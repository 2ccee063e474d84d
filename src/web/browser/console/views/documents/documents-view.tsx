import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { FirstSteps } from "../../components/first-steps.tsx";
import { EmptyNote, FailureNote, Loading } from "../../components/notes.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { usePartitions } from "../../state/partitions.ts";
import { client, mayWrite } from "../../state/session.ts";
import { AddMenu } from "./adding/adding.tsx";
import { addingPlace } from "./adding/adding-state.ts";
import { UploadStrip } from "./adding/upload-strip.tsx";
import { DocumentTable } from "./document-table.tsx";
import { Filters } from "./filters.tsx";
import { isByTime, isFiltered, type ListQuery, listAddress, pageRows, readListQuery, wholeList } from "./list-query.ts";
import { loadPage, maxMatching, mergeRows } from "./load-list.ts";
import { deleteDocuments, documentsChanged, hiddenDocuments, statusChanges } from "./record/document-actions.ts";
import { RereadDialog } from "./record/document-dialogs.tsx";
import { recordStrings } from "./record/strings.ts";
import { BulkBar, useSelection } from "./selection.tsx";
import { documentsStrings as texts } from "./strings.ts";

/** The documents: what there is, how each is, and adding more. */
export const DocumentsView = () => {
  const { query: given, route } = useLocation();
  const query = readListQuery(given);
  const body = useRef<HTMLTableSectionElement>(null);
  const deletion = useSignal<readonly DocumentRecord[] | null>(null);
  const reread = useSignal<readonly DocumentRecord[] | null>(null);
  const partitions = usePartitions();
  const isHeld = () =>
    selection.isAny() ||
    body.current?.matches(":hover") === true ||
    body.current?.contains(document.activeElement) === true;
  const selection = useSelection(query);
  const list = useDocumentList(query, isHeld);
  const change = (to: Partial<ListQuery>) => route(listAddress({ ...query, page: 1, ...to }), true);

  useEffect(() => scrollTo(0, 0), [query.page]);
  useEffect(() => {
    addingPlace.value = partitions.find(({ id }) => id === query.partitionId) ?? null;
    return () => {
      addingPlace.value = null;
    };
  }, [query.partitionId, partitions]);

  const rows = list.rows?.filter(({ id }) => !hiddenDocuments.value.has(id));
  const chosen = selection.among(rows ?? []);
  const isFree = list.total === null || list.total <= maxMatching;
  const remove = () => {
    if (chosen.length > pageRows) deletion.value = chosen;
    else {
      selection.clear();
      deleteDocuments(client, chosen);
    }
  };
  const isEmpty = rows?.length === 0 && list.total === 0;

  return (
    <div class="documents-view">
      <ViewHeader title={texts.title} count={list.total || null}>
        {chosen.length > 0 ? (
          <BulkBar
            documents={chosen}
            partitions={partitions}
            selectMatching={selection.matching(rows ?? [], list.total ?? 0)}
            onDone={selection.clear}
            onDelete={remove}
            onReread={() => (reread.value = chosen)}
          />
        ) : isEmpty && !isFiltered(query) ? null : (
          <Filters query={query} partitions={partitions} isFree={isFree} onChange={change} />
        )}
        {mayWrite() && <AddMenu />}
      </ViewHeader>
      <UploadStrip />
      <FailureNote error={list.error} onRetry={list.refresh} />
      {list.newer > 0 && (
        <button type="button" class="newer" onClick={list.refresh}>
          {texts.newer(list.newer)}
        </button>
      )}
      {!isFree && !isByTime(query.order) && <p class="quiet">{texts.notOrdered(list.total ?? 0, maxMatching)}</p>}
      {rows === undefined && list.error === null && <Loading />}
      {isEmpty && isFiltered(query) && (
        <EmptyNote title={texts.nothingFound}>
          <p>{texts.nothingFoundText}</p>
          <a class="button" href={listAddress(wholeList)}>
            {texts.clearFilters}
          </a>
        </EmptyNote>
      )}
      {isEmpty && !isFiltered(query) && <FirstSteps />}
      {rows?.length === 0 && list.rows?.length !== 0 && (
        <EmptyNote title={texts.allHidden}>
          <p>{texts.allHiddenText}</p>
        </EmptyNote>
      )}
      {rows !== undefined && rows.length > 0 && (
        <DocumentTable
          body={body}
          rows={rows}
          partitions={partitions}
          order={query.order}
          isFree={isFree}
          onOrder={(order) => change({ order })}
          selected={selection.all()}
          onSelect={selection.select}
        />
      )}
      {deletion.value !== null && (
        <DeleteDialog documents={deletion.value} onDone={selection.clear} onClose={() => (deletion.value = null)} />
      )}
      {reread.value !== null && <RereadDialog documents={reread.value} onClose={() => (reread.value = null)} />}
      {list.total !== null && !isEmpty && (
        <Pager page={query.page} total={list.total} addressOf={(page) => listAddress({ ...query, page })} />
      )}
    </div>
  );
};

interface PagerProps {
  /** From 1. */
  page: number;
  total: number;
  addressOf(page: number): string;
}

/** Leads through the pages of the list. */
const Pager = ({ page, total, addressOf }: PagerProps) => {
  const last = Math.max(1, Math.ceil(total / pageRows));
  if (last === 1 && page === 1) return null;
  const link = (to: number, label: string) =>
    to >= 1 && to <= last ? (
      <a class="button" href={addressOf(to)}>
        {label}
      </a>
    ) : (
      <span class="button" aria-disabled="true">
        {label}
      </span>
    );
  return (
    <nav class="pager" aria-label={texts.pages}>
      {link(page - 1, texts.previous)}
      <span class="quiet" aria-live="polite">
        {texts.range((page - 1) * pageRows + 1, Math.min(total, page * pageRows), total)}
      </span>
      {link(page + 1, texts.next)}
    </nav>
  );
};

interface DeleteDialogProps {
  documents: readonly DocumentRecord[];
  onDone(): void;
  onClose(): void;
}

/** Asks before more documents are deleted than can be seen at once. */
const DeleteDialog = ({ documents, onDone, onClose }: DeleteDialogProps) => {
  // What is chosen when it opens: lists load anew under it.
  const { current: chosen } = useRef(documents);
  const run = async (): Promise<void> => {
    onDone();
    deleteDocuments(client, chosen);
  };
  return (
    <ConfirmDialog title={texts.deleteMany(chosen.length)} action={recordStrings.delete} run={run} onClose={onClose}>
      <p>{texts.deleteManyText}</p>
    </ConfirmDialog>
  );
};

/** While documents are being read, and otherwise: others may add some. */
const activeMs = 1_500;
const idleMs = 15_000;
/** In an empty store the first document is waited for. */
const emptyMs = 3_000;
/** So many documents are followed by events; each holds one of the browser's six connections to the server. */
const maxFollowed = 2;

interface DocumentList {
  /** Undefined until they were loaded once. */
  rows: readonly DocumentRecord[] | undefined;
  total: number | null;
  /** How many more there are that would move the rows, were they shown. */
  newer: number;
  error: unknown;
  /** Loads and shows all that is new. */
  refresh(): void;
}

const isUnfinished = ({ status }: DocumentRecord): boolean => status === "pending" || status === "processing";

/**
 * A page of the documents, kept up to date: few that are being read are followed by their events, many by asking again.
 * @param isHeld whether rows must stay where they are: somebody points at them or works with them
 */
const useDocumentList = (query: ListQuery, isHeld: () => boolean): DocumentList => {
  const rows = useSignal<readonly DocumentRecord[] | undefined>(undefined);
  const total = useSignal<number | null>(null);
  const newer = useSignal(0);
  const error = useSignal<unknown>(null);
  const loading = useRef<AbortController | null>(null);
  const key = listAddress(query);

  const load = useCallback(
    async (isFresh: boolean) => {
      loading.current?.abort();
      const stop = new AbortController();
      loading.current = stop;
      try {
        const { items, total: all } = await loadPage(client, query, stop.signal);
        if (stop.signal.aborted) return;
        const merged = mergeRows(rows.peek() ?? [], items, !isFresh && isHeld());
        rows.value = merged.rows;
        newer.value = merged.newer;
        total.value = all;
        error.value = null;
      } catch (failure) {
        if (!stop.signal.aborted) error.value = failure;
      }
    },
    [key],
  );

  useEffect(() => {
    void load(true);
    return () => loading.current?.abort();
  }, [load]);
  useEffect(() => {
    const { value } = documentsChanged;
    if (value > 0) void load(false);
  }, [documentsChanged.value]);

  const unfinished = (rows.value ?? []).filter(isUnfinished).map(({ id }) => id);
  const followed = unfinished.length <= maxFollowed ? unfinished.join(" ") : "";
  const isEmpty = total.value === 0;
  // An order other than by time takes a request for each page of what matches.
  const isCostly = !isByTime(query.order) && (total.value ?? 0) > pageRows;
  const isActive = unfinished.length > 0 && followed === "" && !isCostly;
  useEffect(() => {
    const everyMs = isActive ? activeMs : isEmpty ? emptyMs : idleMs;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void load(false);
    }, everyMs);
    return () => clearInterval(timer);
  }, [load, isActive, isEmpty]);

  useEffect(() => {
    if (followed === "") return;
    const stop = new AbortController();
    const follow = async (id: string) => {
      for await (const state of statusChanges(client, id, stop.signal)) {
        rows.value = (rows.peek() ?? []).map((row) => (row.id === id ? { ...row, reading: null, ...state } : row));
        // What else reading found out: its type, its warnings.
        if (state.status === "processed" || state.status === "failed") void load(false);
      }
    };
    // A connection that breaks is no failure: the list is asked for again.
    for (const id of followed.split(" "))
      follow(id).catch(() => {
        if (!stop.signal.aborted) setTimeout(() => load(false), activeMs);
      });
    return () => stop.abort();
  }, [followed]);

  return {
    rows: rows.value,
    total: total.value,
    newer: newer.value,
    error: error.value,
    refresh: () => void load(true),
  };
};
