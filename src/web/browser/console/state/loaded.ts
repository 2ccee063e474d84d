import { type Signal, useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import type { QueryValues } from "./client.ts";
import { recoveries } from "./server.ts";

export interface Loaded<Value> {
  /** Undefined until it was loaded once; the last one while it is loaded again, and when that fails. */
  value: Value | undefined;
  /** Why the last loading failed; null if it did not. */
  error: unknown;
  reload(): void;
  /** Changes what is shown before the server tells. */
  set(value: Value): void;
}

/**
 * Loads what a component shows: when it is first shown, when one of `inputs` changes, on `reload()`, when the
 * server came back, and every `everyMs` where that is given and the page is visible.
 */
export const useLoaded = <Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[] = [],
  everyMs: number | null = null,
): Loaded<Value> => {
  const value = useSignal<Value | undefined>(undefined);
  const error = useSignal<unknown>(null);
  const round = useSignal(0);
  const reload = useCallback(() => {
    round.value += 1;
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(
      (loaded) => {
        if (stop.signal.aborted) return;
        value.value = loaded;
        error.value = null;
      },
      (failure: unknown) => {
        if (!stop.signal.aborted) error.value = failure;
      },
    );
    return () => stop.abort();
  }, [...inputs, round.value, recoveries.value]);
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return {
    value: value.value,
    error: error.value,
    reload,
    set(next) {
      value.value = next;
    },
  };
};

/** As many as a list of the API gives at once. */
const pageSize = 100;

type Page<Item> = { items: Item[]; total: number | null };

export interface Pages<Item> extends Pick<Loaded<unknown>, "error" | "reload"> {
  /** What was loaded so far; undefined until the first page came. */
  items: Item[] | undefined;
  total: number | null;
  /** Loads the next page; null where all is there. */
  more: (() => void) | null;
}

/** A long list, a page at a time. @param load one page; `inputs` are what it depends on */
export const usePages = <Item>(
  load: (query: QueryValues, stop: AbortSignal) => Promise<Page<Item>>,
  inputs: readonly unknown[] = [],
): Pages<Item> => {
  const pages = useSignal(1);
  useEffect(() => {
    pages.value = 1;
  }, inputs as unknown[]);
  const { value, error, reload } = useLoaded<Page<Item>>(
    async (stop) => {
      const items: Item[] = [];
      let total: number | null = null;
      for (let at = 0; at < pages.value; at += 1) {
        const page = await load({ limit: pageSize, skip: at * pageSize }, stop);
        items.push(...page.items);
        total = page.total;
      }
      return { items, total };
    },
    [...inputs, pages.value],
  );
  const isWhole = value === undefined || value.items.length >= (value.total ?? 0);
  return {
    items: value?.items,
    total: value?.total ?? null,
    error,
    reload,
    more: isWhole
      ? null
      : () => {
          pages.value += 1;
        },
  };
};

/** Work that a person starts, one piece at a time. */
interface Run {
  isRunning: Signal<boolean>;
  /** What went wrong the last time; null: nothing. */
  failure: Signal<unknown>;
  /** Does the work, unless some runs already. It never throws. */
  run(work: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
  /** Stops the work that runs: how it ends is not told. */
  stop(): void;
}

export const useRun = (): Run => {
  const isRunning = useSignal(false);
  const failure = useSignal<unknown>(null);
  const running = useRef<AbortController | null>(null);
  return {
    isRunning,
    failure,
    async run(work) {
      if (isRunning.value) return;
      const stop = new AbortController();
      running.current = stop;
      isRunning.value = true;
      failure.value = null;
      try {
        await work(stop.signal);
      } catch (error) {
        if (!stop.signal.aborted) failure.value = error;
      } finally {
        isRunning.value = false;
      }
    },
    stop: () => running.current?.abort(),
  };
};
