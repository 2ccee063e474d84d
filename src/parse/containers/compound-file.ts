/**
 * Reads compound files (MS-CFB), the container of old Office files, Outlook messages and locked new Office files.
 * Reads only the directory and the bytes of streams. Every chain is bounded, so reading a broken file ends.
 */
export interface CompoundFile {
  /** Paths such as `__attach_version1.0_#00000000/__substg1.0_37010102`, of streams alone. */
  readonly paths: readonly string[];
  /** A stream's bytes, or null where there is none. */
  read(path: string): Uint8Array | null;
}

const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const endOfChain = 0xfffffffe;
const maxEntries = 100_000;

export const isCompoundFile = (bytes: Uint8Array): boolean => signature.every((byte, index) => bytes[index] === byte);

interface Entry {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

/** @throws RangeError where the file ends before what its tables promise */
export const openCompoundFile = (bytes: Uint8Array): CompoundFile => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sectorSize = 1 << Math.min(view.getUint16(30, true), 16);
  const miniSize = 1 << Math.min(view.getUint16(32, true), 12);
  const miniCutoff = view.getUint32(56, true);
  const offset = (sector: number) => (sector + 1) * sectorSize;
  const sectors = Math.ceil(bytes.length / sectorSize);

  const fat = readFat(view, sectorSize, sectors, offset);
  const chain = (start: number): Uint8Array => {
    const parts: Uint8Array[] = [];
    for (let sector = start; sector < fat.length && parts.length <= sectors; sector = fat[sector] ?? endOfChain) {
      parts.push(bytes.subarray(offset(sector), offset(sector) + sectorSize));
    }
    return joined(parts);
  };
  const entries = readDirectory(chain(view.getUint32(48, true)));
  const miniFat = asUint32(chain(view.getUint32(60, true)));
  const miniStream = entries[0] ? chain(entries[0].start) : new Uint8Array();
  const miniChain = (start: number): Uint8Array => {
    const parts: Uint8Array[] = [];
    const most = Math.ceil(miniStream.length / miniSize);
    for (let at = start; at < miniFat.length && parts.length <= most; at = miniFat[at] ?? endOfChain) {
      parts.push(miniStream.subarray(at * miniSize, (at + 1) * miniSize));
    }
    return joined(parts);
  };

  const streams = namedStreams(entries);
  return {
    paths: [...streams.keys()],
    read(path) {
      const entry = streams.get(path);
      if (!entry) return null;
      const whole = entry.size < miniCutoff ? miniChain(entry.start) : chain(entry.start);
      return whole.subarray(0, Math.min(entry.size, whole.length));
    },
  };
};

const readFat = (
  view: DataView,
  sectorSize: number,
  sectors: number,
  offset: (sector: number) => number,
): Uint32Array => {
  const perSector = sectorSize / 4;
  const places: number[] = [];
  for (let index = 0; index < 109; index++) places.push(view.getUint32(76 + index * 4, true));
  let next = view.getUint32(68, true);
  for (let count = 0; next < sectors && count < sectors; count++) {
    for (let index = 0; index < perSector - 1; index++) places.push(view.getUint32(offset(next) + index * 4, true));
    next = view.getUint32(offset(next) + (perSector - 1) * 4, true);
  }
  const used = places.filter((place) => place < sectors);
  const fat = new Uint32Array(used.length * perSector).fill(endOfChain);
  used.forEach((place, part) => {
    for (let index = 0; index < perSector; index++) {
      const at = offset(place) + index * 4;
      if (at + 4 <= view.byteLength) fat[part * perSector + index] = view.getUint32(at, true);
    }
  });
  return fat;
};

const readDirectory = (bytes: Uint8Array): Entry[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Entry[] = [];
  for (let at = 0; at + 128 <= bytes.length && entries.length < maxEntries; at += 128) {
    const nameBytes = Math.max(Math.min(view.getUint16(at + 64, true), 64) - 2, 0);
    entries.push({
      name: new TextDecoder("utf-16le").decode(bytes.subarray(at, at + nameBytes)),
      type: bytes[at + 66] ?? 0,
      left: view.getUint32(at + 68, true),
      right: view.getUint32(at + 72, true),
      child: view.getUint32(at + 76, true),
      start: view.getUint32(at + 116, true),
      size: view.getUint32(at + 120, true),
    });
  }
  return entries;
};

/** Walks the directory's trees, each entry at most once. */
const namedStreams = (entries: readonly Entry[]): Map<string, Entry> => {
  const streams = new Map<string, Entry>();
  const seen = new Set<number>();
  const waiting: { index: number; folder: string }[] = [{ index: entries[0]?.child ?? entries.length, folder: "" }];
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    const entry = entries[step.index];
    if (!entry || seen.has(step.index)) continue;
    seen.add(step.index);
    const path = `${step.folder}${entry.name}`;
    if (entry.type === 2) streams.set(path, entry);
    if (entry.type === 1) waiting.push({ index: entry.child, folder: `${path}/` });
    waiting.push({ index: entry.left, folder: step.folder }, { index: entry.right, folder: step.folder });
  }
  return streams;
};

const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const asUint32 = (bytes: Uint8Array): Uint32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => view.getUint32(index * 4, true));
};
