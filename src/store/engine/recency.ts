/** Puts an entry into a map that keeps the most recent ones: beyond `maxEntries`, the oldest is removed. */
export const putLast = <K, V>(entries: Map<K, V>, key: K, value: V, maxEntries: number): void => {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= maxEntries) return;
  for (const first of entries.keys()) {
    entries.delete(first);
    break;
  }
};
