import type { Manifest } from "../../src/backup/format/format.ts";

/** A manifest of a small backup. @param more what is said of its files, and what else differs */
export const sampleManifest = (
  more: Pick<Manifest, "documents" | "files" | "bytes" | "newBytes" | "list"> & Partial<Manifest>,
): Manifest => ({
  format: 1,
  id: "0197a1c2-9e40-7b52-8f13-6a0d2c4e8b17",
  createdAt: "2026-01-31T03:00:00.000Z",
  markedAt: "2026-01-31T03:00:00.412Z",
  finishedAt: "2026-01-31T03:00:21.007Z",
  version: "1.2.3",
  store: "s",
  ...more,
});
