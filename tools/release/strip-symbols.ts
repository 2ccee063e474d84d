/** Offsets in an ELF file of 64 bits, little endian (elf.h). */
const programHeaders = 0x20;
const sectionHeaders = 0x28;
const programHeaderLength = 0x36;
const programHeaderCount = 0x38;
const sectionCount = 0x3c;
const sectionNames = 0x3e;
/** Within a program header. */
const fileOffset = 0x08;
const fileLength = 0x20;

/**
 * A shared library for Linux without what only debuggers read: its symbol table, and the list of sections by which they
 * find it. What a process maps (its segments) stays byte for byte. Of LanceDB's addon that is a sixth.
 * @returns the library as it came where it is of another kind, or holds nothing behind its segments
 */
export const stripSymbols = (library: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const header = new DataView(library.buffer, library.byteOffset, library.byteLength);
  const isElf64 = library.length > 64 && header.getUint32(0) === 0x7f454c46 && header.getUint16(4) === 0x0201;
  if (!isElf64) return library;
  const first = Number(header.getBigUint64(programHeaders, true));
  const count = header.getUint16(programHeaderCount, true);
  const each = header.getUint16(programHeaderLength, true);
  let end = first + count * each;
  for (let index = 0; index < count; index += 1) {
    const at = first + index * each;
    const segmentEnd =
      Number(header.getBigUint64(at + fileOffset, true)) + Number(header.getBigUint64(at + fileLength, true));
    end = Math.max(end, segmentEnd);
  }
  if (end >= library.length) return library;
  const stripped = library.slice(0, end);
  const changed = new DataView(stripped.buffer);
  changed.setBigUint64(sectionHeaders, 0n, true);
  changed.setUint16(sectionCount, 0, true);
  changed.setUint16(sectionNames, 0, true);
  return stripped;
};
