/** What a built-in table of numbers begins with: eight letters that name it, the version of its layout, its entries. */
interface Layout {
  signature: string;
  version: number;
  /** As errors name it. */
  name: string;
}

const headerBytes = 16;

/** The parts that hold the entries follow the header in their order. */
export const writeTableFile = (
  { signature, version }: Layout,
  entries: number,
  parts: readonly (Uint8Array | Uint16Array | Uint32Array)[],
): Uint8Array => {
  const header = Buffer.alloc(headerBytes);
  header.write(signature, "latin1");
  header.writeUInt32LE(version, 8);
  header.writeUInt32LE(entries, 12);
  const bytes = parts.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  return Buffer.concat([header, ...bytes]);
};

/** @throws Error if the file is not a table of the layout @returns how many entries it states, and what follows the header */
export const readTableFile = (
  file: Uint8Array,
  { signature, version, name }: Layout,
): { entries: number; content: Buffer<ArrayBufferLike> } => {
  // Arrays of numbers want to begin at a multiple of their size, which a slice of a pooled buffer need not do.
  const { buffer, byteOffset, byteLength } = file.byteOffset % 4 === 0 ? file : new Uint8Array(file);
  const view = Buffer.from(buffer, byteOffset, byteLength);
  if (view.length < headerBytes || view.toString("latin1", 0, 8) !== signature || view.readUInt32LE(8) !== version)
    throw new Error(`the built-in ${name} is damaged or of an unknown layout`);
  return { entries: view.readUInt32LE(12), content: view.subarray(headerBytes) };
};

/** The first place of a value in an ascending list, or where it would be. */
export const firstPlaceOf = (values: Uint32Array, wanted: number): number => {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
};
