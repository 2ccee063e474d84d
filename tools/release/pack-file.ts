import { mkdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";

/**
 * Content of one piece. A start unpacks one after the other and holds two: with pieces of 16 MiB the addon gets 2 %
 * smaller, and unpacking it takes 100 MB in place of 40 (docs/decisions/binary-size.md).
 */
const pieceBytes = 4 * 1024 * 1024;

/** A file that is ready to go into the program. */
export interface MadePackedFile {
  /** Path of the packed file. */
  path: string;
  /** What `PackedFile` says of it, but for its place in the binary. */
  facts: { name: string; bytes: number; sha256: string; pieces: number[] };
}

interface PackOptions {
  /** Of zstd, 1 to 19. */
  level: number;
  /** Packed files are kept here: at a high level, packing takes minutes. */
  cacheFolder: string;
  /** Changes the content before. */
  transform?: (content: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;
}

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** Packs a file in pieces that are compressed on their own, on all processors. */
export const packFile = async (source: string, options: PackOptions): Promise<MadePackedFile> => {
  const { level, cacheFolder, transform } = options;
  const original = await Bun.file(source).bytes();
  const content = transform === undefined ? original : transform(original);
  const digest = sha256(content);
  const path = join(cacheFolder, `${digest.slice(0, 32)}-${level}.zst`);
  const factsPath = `${path}.json`;
  if (!(await Bun.file(factsPath).exists())) {
    await mkdir(cacheFolder, { recursive: true });
    const pieces = await compress(content, level);
    const facts = { bytes: content.length, sha256: digest, pieces: pieces.map((piece) => piece.length) };
    await Bun.write(path, Buffer.concat(pieces));
    // Written last: a build that was interrupted leaves nothing that counts.
    await Bun.write(`${factsPath}.partial`, JSON.stringify(facts));
    await rename(`${factsPath}.partial`, factsPath);
  }
  return { path, facts: { name: basename(source), ...(await Bun.file(factsPath).json()) } };
};

const compress = async (content: Uint8Array<ArrayBuffer>, level: number): Promise<Uint8Array[]> => {
  const pieces: Uint8Array[] = new Array(Math.ceil(content.length / pieceBytes));
  const left = pieces.keys();
  const lane = async (): Promise<void> => {
    for (const index of left)
      pieces[index] = await Bun.zstdCompress(content.subarray(index * pieceBytes, (index + 1) * pieceBytes), { level });
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, lane));
  return pieces;
};
