/** The initial content of the dictionary (MS-OXRTFCP 2.1.2.1). */
const initialDictionary =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
const dictionarySize = 4096;
const maxUnpacked = 64 * 1_048_576;

/** Rich text as Outlook compresses it (MS-OXRTFCP), in Latin-1; null where it is broken. */
export const decompressRtf = (packed: Uint8Array): string | null => {
  if (packed.length < 16) return null;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const size = view.getUint32(4, true);
  const kind = view.getUint32(8, true);
  const latin1 = new TextDecoder("latin1");
  if (kind === 0x414c454d) return latin1.decode(packed.subarray(16, 16 + size));
  if (kind !== 0x75465a4c || size > maxUnpacked) return null;
  const dictionary = new Uint8Array(dictionarySize).fill(0x20);
  for (let index = 0; index < initialDictionary.length; index++)
    dictionary[index] = initialDictionary.charCodeAt(index);
  let write = initialDictionary.length;
  const out: number[] = [];
  const put = (byte: number) => {
    out.push(byte);
    dictionary[write] = byte;
    write = (write + 1) % dictionarySize;
  };
  let at = 16;
  while (at < packed.length && out.length < size) {
    const control = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length && out.length < size; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(packed[at++] ?? 0);
        continue;
      }
      const reference = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
      at += 2;
      const offset = reference >> 4;
      if (offset === write) return latin1.decode(new Uint8Array(out));
      for (let step = 0; step < (reference & 0xf) + 2; step++) put(dictionary[(offset + step) % dictionarySize] ?? 0);
    }
  }
  return latin1.decode(new Uint8Array(out));
};
