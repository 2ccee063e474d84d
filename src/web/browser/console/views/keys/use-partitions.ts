import type { Partition } from "../../../shared/api.ts";
import { client } from "../../state/session.ts";
import { useLoaded } from "../../state/use-loaded.ts";

/** Partitions to choose from, by name; empty until they came. More than the API lists at once are not offered. */
export const usePartitions = (): readonly Partition[] => {
  const { value = [] } = useLoaded((stop) => client.get<Partition[]>("/api/partition", { limit: 100 }, stop));
  return value.toSorted((a, b) => a.name.localeCompare(b.name));
};
