/** Puts an entry last in a map that keeps those put last: beyond `most` the one put longest ago goes. */
export const putLast = <K, V>(entries: Map<K, V>, key: K, value: V, most: number): void => {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= most) return;
  for (const first of entries.keys()) {
    entries.delete(first);
    break;
  }
};
