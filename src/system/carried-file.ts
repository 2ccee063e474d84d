/** The first bytes of a zstd frame (RFC 8878), as a number. */
const zstdMagic = 0xfd2fb528;

/**
 * The content of a file that is imported with `type: "file"`. In the compiled binary those that tools/compile.ts names are
 * compressed with zstd; from source they are as they are in their package.
 */
export const readCarriedFile = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = await Bun.file(path).bytes();
  const isPacked = bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === zstdMagic;
  return isPacked ? new Uint8Array(await Bun.zstdDecompress(bytes)) : bytes;
};

/**
 * Location of a module that runs as a Worker: in the compiled binary, its path in the source tree.
 * @param path from the root of the repository; tools/compile.ts lists it too
 */
export const workerUrl = (path: string): string =>
  /\$bunfs|~BUN/.test(import.meta.url) ? `./${path}` : new URL(`../../${path}`, import.meta.url).href;
