import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { client } from "../../state/session.ts";
import { isByTime, type ListQuery, listAddress, pageRows } from "./list-query.ts";
import { loadPage, mergeRows } from "./load-list.ts";
import { documentsChanged, statusChanges } from "./record/document-actions.ts";

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
export const useDocumentList = (query: ListQuery, isHeld: () => boolean): DocumentList => {
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
