import { expect, test } from "bun:test";
import type { Manifest } from "../../src/backup/format/format.ts";
import { othersIn, serversIn } from "../../src/backup/manifests.ts";
import { surplus } from "../../src/backup/prune.ts";
import { sampleManifest } from "./sample-manifest.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const noon = Date.UTC(2026, 5, 15, 12);

const backup = (host: string | null, store: string, markedAt = noon): Manifest =>
  sampleManifest({
    documents: 0,
    files: 0,
    bytes: 0,
    newBytes: 0,
    list: { bytes: 0, pieces: [] },
    id: Bun.randomUUIDv7(),
    store,
    markedAt: new Date(markedAt).toISOString(),
    ...(host === null ? {} : { server: { host, dataDir: "/srv/carrel" } }),
  });
const found = (...manifests: Manifest[]) => manifests.map((manifest) => ({ id: manifest.id, manifest }));

test("servers are told apart by their stores, and two that work with one store by their names", () => {
  const counted = (...manifests: Manifest[]) =>
    serversIn(found(...manifests)).map(({ name, backups }) => [name, backups.length]);
  const [nas, laptop] = ["nas:/srv/carrel", "laptop:/srv/carrel"];
  expect(counted(backup("nas", "a"), backup("laptop", "b"), backup("nas", "a"))).toEqual([
    [nas, 2],
    [laptop, 1],
  ]);
  // Moved, or a container with a new name at each start; the oldest are of an earlier program.
  expect(counted(backup("nas", "a"), backup("laptop", "a"), backup(null, "a"))).toEqual([[nas, 3]]);
  // Restored for a trial, while the first goes on.
  expect(counted(backup("nas", "a"), backup("laptop", "a"), backup("nas", "a"))).toEqual([
    [nas, 2],
    [laptop, 1],
  ]);
  expect(counted(backup(null, "abcdef0123"))).toEqual([["store abcdef01", 1]]);
  expect(serversIn([{ id: "x", manifest: "its manifest is damaged" }])).toEqual([]);
});

test("a server that was moved has no others beside it", () => {
  const own = { store: "a", server: { host: "nas", dataDir: "/srv/carrel" } };
  expect(othersIn(found(backup("old", "a"), backup("older", "a")), own)).toEqual([]);
  expect(othersIn(found(backup("nas", "a"), backup("old", "a"), backup("laptop", "b")), own)).toEqual([
    "laptop:/srv/carrel",
  ]);
  expect(othersIn(found(backup("nas", "a"), backup("trial", "a"), backup("nas", "a")), own)).toEqual([
    "trial:/srv/carrel",
  ]);
});

test("backups that are asked for in a row take the place of none of another day", () => {
  const of = (...markedAt: number[]) => markedAt.map((time) => backup("nas", "a", time));
  const gone = (backups: Manifest[], keep: number, apartMs = dayMs) =>
    surplus(backups, keep, apartMs).map((each) => backups.indexOf(each));
  const inARow = [noon + 3, noon + 2, noon + 1];
  const days = [1, 2, 3].map((day) => noon - day * dayMs);
  expect(gone(of(...inARow, ...days), 4)).toEqual([1, 2]);
  expect(gone(of(...inARow, ...days), 3).sort()).toEqual([1, 2, 5]);
  // As many as are kept: all stay; more on one day alone: the newest.
  expect(gone(of(...inARow, ...days), 6)).toEqual([]);
  expect(gone(of(...inARow, noon), 2)).toEqual([2, 3]);
  // By the hour: the last ones stay, whatever was asked for between.
  const hourly = [0, 1, 2, 3].map((hour) => noon - hour * hourMs);
  expect(gone(of(noon + 2, noon + 1, ...hourly), 3, hourMs).sort()).toEqual([1, 2, 5]);
  // What a wrong clock dated comes last, and goes first of those that stand alone.
  expect(gone(of(noon, days[0] ?? 0, noon + 1_500 * dayMs), 2)).toEqual([2]);
});
