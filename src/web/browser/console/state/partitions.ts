import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Partition } from "../../shared/api.ts";
import { client } from "./session.ts";

const pageSize = 100;
/** More than a list to choose from can hold. */
const maxPartitions = 1_000;

const partitions = signal<readonly Partition[]>([]);

let loading: Promise<void> | null = null;

/** Loads the partitions of the key anew; several at once are one. What fails leaves those that are known. */
export const loadPartitions = (): Promise<void> => {
  loading ??= load().finally(() => {
    loading = null;
  });
  return loading;
};

const load = async (): Promise<void> => {
  const found: Partition[] = [];
  try {
    for (let skip = 0; skip < maxPartitions; skip += pageSize) {
      const { items, total } = await client.list<Partition>("/api/partition", { limit: pageSize, skip });
      found.push(...items);
      if (items.length < pageSize || found.length >= (total ?? 0)) break;
    }
  } catch {
    return;
  }
  partitions.value = found.sort((a, b) => a.name.localeCompare(b.name));
};

/** The partitions that the key sees, by name; loaded when the view opens. */
export const usePartitions = (): readonly Partition[] => {
  useEffect(() => void loadPartitions(), []);
  return partitions.value;
};
