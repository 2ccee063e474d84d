import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { QueryValues } from "../client.ts";
import { type Loaded, useLoaded } from "./use-loaded.ts";

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
