import { expect, test } from "bun:test";
import {
  backupIn,
  decodeFileList,
  decodeManifest,
  digestIn,
  digestOf,
  encodeFileList,
  encodeManifest,
  type Manifest,
  manifestName,
  objectName,
} from "../../src/backup/format/format.ts";
import { sampleManifest } from "./sample-manifest.ts";

const { signal } = new AbortController();
const sha256 = "a".repeat(64);
const manifest = sampleManifest({
  documents: 5,
  files: 9,
  bytes: 1_000,
  newBytes: 10,
  list: { bytes: 80, pieces: [sha256] },
});

test("a manifest is read as it was written; no flipped byte gives another one", () => {
  const encoded = encodeManifest(manifest);
  expect(decodeManifest(encoded)).toEqual(manifest);
  let refused = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    for (const bit of [1, 32, 128]) {
      const flipped = encoded.slice();
      flipped[at] = (flipped[at] ?? 0) ^ bit;
      const read = decodeManifest(flipped);
      // White space between the fields says nothing.
      if (typeof read === "string") refused += 1;
      else expect(read).toEqual(manifest);
    }
  }
  expect(refused).toBeGreaterThan(encoded.length);
  expect(decodeManifest(encoded.subarray(0, encoded.length - 9))).toBe("its manifest is damaged");
});

test("a manifest of a newer program is refused as that", () => {
  const newer = { ...manifest, format: 2 } as unknown as Manifest;
  expect(decodeManifest(encodeManifest(newer))).toContain("newer version of Carrel");
});

test("a list of files is read as it was written", async () => {
  const files = [
    { path: "tables/documents.lance/_versions/18446744073709551614.manifest", bytes: 4, pieces: [sha256] },
    { path: "secret", bytes: 0, pieces: [] },
  ];
  expect(await decodeFileList(await encodeFileList(files, signal), signal)).toEqual(files);
});

test("a list with a wrong piece or length is damaged", async () => {
  for (const file of [
    { path: "secret", bytes: 1, pieces: ["../x"] },
    { path: "secret", bytes: -1, pieces: [] },
    { path: "secret", bytes: 0.5, pieces: [] },
  ])
    expect(await decodeFileList(await encodeFileList([file], signal), signal)).toBe("its list of files is damaged");
});

test("names of objects and manifests are read back, others are not", () => {
  expect(digestIn(objectName(sha256))).toBe(sha256);
  expect(digestIn(`objects/bb/${sha256}`)).toBeNull();
  expect(digestIn(`${objectName(sha256)}.0197a1c2.part`)).toBeNull();
  expect(backupIn(manifestName(manifest.id))).toBe(manifest.id);
  expect(backupIn("backups/notes.txt")).toBeNull();
});

test("a digest over several slices is that of the whole", async () => {
  const bytes = new Uint8Array(3 * 512 * 1024 + 17).map((_, index) => index * 31);
  expect(await digestOf(bytes)).toBe(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
  expect(await digestOf(new Uint8Array())).toBe(new Bun.CryptoHasher("sha256").digest("hex"));
});
