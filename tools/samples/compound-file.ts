/** A compound file (MS-CFB), the container of Outlook messages and old Office files. */

const sectorBytes = 512;
const miniSectorBytes = 64;
const miniCutoffBytes = 4096;
const entryBytes = 128;
const none = 0xffffffff;
const endOfChain = 0xfffffffe;
const fatSector = 0xfffffffd;
const kinds = { storage: 1, stream: 2, root: 5 };

/** One folder or stream; the root is the first. */
interface Entry {
  name: string;
  kind: number;
  children: Entry[];
  bytes: Uint8Array;
  start: number;
}

const entry = (name: string, kind: number, bytes: Uint8Array = new Uint8Array()): Entry => ({
  name,
  kind,
  children: [],
  bytes,
  start: endOfChain,
});

/** Streams by path, such as `folder/name`, in a file of version 3. */
export const makeCompoundFile = (streams: Readonly<Record<string, Uint8Array>>): Uint8Array => {
  const root = entry("Root Entry", kinds.root);
  for (const [path, bytes] of Object.entries(streams)) addStream(root, path.split("/"), bytes);
  const entries = flattened(root);
  const sectors: Uint8Array[] = [];
  const fat: number[] = [];
  const write = (bytes: Uint8Array): number => {
    if (bytes.length === 0) return endOfChain;
    const first = sectors.length;
    const parts = chunks(bytes, sectorBytes);
    parts.forEach((part, index) => {
      sectors.push(part);
      fat.push(index === parts.length - 1 ? endOfChain : first + index + 1);
    });
    return first;
  };
  const miniSectors: Uint8Array[] = [];
  const miniFat: number[] = [];
  for (const stream of entries.filter(({ kind, bytes }) => kind === kinds.stream && bytes.length > 0)) {
    if (stream.bytes.length >= miniCutoffBytes) {
      stream.start = write(stream.bytes);
      continue;
    }
    stream.start = miniSectors.length;
    const parts = chunks(stream.bytes, miniSectorBytes);
    parts.forEach((part, index) => {
      miniSectors.push(part);
      miniFat.push(index === parts.length - 1 ? endOfChain : miniSectors.length);
    });
  }
  root.bytes = Buffer.concat(miniSectors);
  root.start = write(root.bytes);
  const miniFatStart = write(uint32s(miniFat));
  const directoryStart = write(directory(entries));
  const fatStart = sectors.length;
  const perSector = sectorBytes / 4;
  let fatSectors = 0;
  while (fatSectors * perSector < fatStart + fatSectors) fatSectors++;
  for (let index = 0; index < fatSectors; index++) fat.push(fatSector);
  const table = chunks(uint32s(fat), sectorBytes, 0xff);
  const header = Buffer.alloc(sectorBytes);
  header.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(fatSectors, 44);
  header.writeUInt32LE(directoryStart, 48);
  header.writeUInt32LE(miniCutoffBytes, 56);
  header.writeUInt32LE(miniFatStart, 60);
  header.writeUInt32LE(Math.ceil((miniFat.length * 4) / sectorBytes), 64);
  header.writeUInt32LE(endOfChain, 68);
  for (let index = 0; index < 109; index++)
    header.writeUInt32LE(index < fatSectors ? fatStart + index : none, 76 + index * 4);
  return new Uint8Array(Buffer.concat([header, ...sectors, ...table]));
};

const addStream = (folder: Entry, [name = "", ...rest]: readonly string[], bytes: Uint8Array): void => {
  if (rest.length === 0) {
    folder.children.push(entry(name, kinds.stream, bytes));
    return;
  }
  let inner = folder.children.find((child) => child.name === name);
  if (!inner) {
    inner = entry(name, kinds.storage);
    folder.children.push(inner);
  }
  addStream(inner, rest, bytes);
};

const flattened = (one: Entry): Entry[] => [one, ...one.children.flatMap(flattened)];

/** The children of a folder are a tree that leans to the right: each is the right neighbor of the one before. */
const directory = (entries: readonly Entry[]): Uint8Array => {
  const at = new Map(entries.map((one, index) => [one, index]));
  const siblings = entries.flatMap(({ children }) =>
    children.map((child, index) => [child, children[index + 1]] as const),
  );
  const next = new Map(siblings);
  const written = entries.map((one) => {
    const bytes = Buffer.alloc(entryBytes);
    bytes.write(one.name, 0, 62, "utf16le");
    bytes.writeUInt16LE((one.name.length + 1) * 2, 64);
    bytes.writeUInt8(one.kind, 66);
    bytes.writeUInt8(1, 67);
    const index = (other: Entry | undefined): number => (other === undefined ? none : (at.get(other) ?? none));
    bytes.writeUInt32LE(none, 68);
    bytes.writeUInt32LE(index(next.get(one)), 72);
    bytes.writeUInt32LE(index(one.children[0]), 76);
    bytes.writeUInt32LE(one.start, 116);
    bytes.writeUInt32LE(one.bytes.length, 120);
    return bytes;
  });
  return Buffer.concat(written);
};

/** The bytes in parts of one length, the last filled up. */
const chunks = (bytes: Uint8Array, length: number, fill = 0): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => {
    const part = Buffer.alloc(length, fill);
    part.set(bytes.subarray(index * length, (index + 1) * length));
    return part;
  });

const uint32s = (values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32LE(value, index * 4);
  });
  return bytes;
};
