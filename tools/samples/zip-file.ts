import { constants, crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  /** Text is written as UTF-8 and flagged so; bytes stand as they are, without the flag. */
  name: string | Uint8Array;
  /** Plain bytes, or bytes already deflated together with the size to claim. */
  content: string | Uint8Array | { deflated: Uint8Array; claimedSize: number };
  /** General purpose bits, such as 1 for "encrypted". */
  flags?: number;
  /** Extra field of the directory's entry, such as one made by `unicodePath`. */
  extra?: Uint8Array;
  /** Unix permissions, such as 0o755; none unless given. */
  mode?: number;
}

/** Builds a zip archive; a test may lie in it about sizes and flags. */
export const makeZip = (parts: readonly ZipPart[]): Uint8Array => {
  const bodies: Buffer[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, content, flags = 0, extra = new Uint8Array(), mode } of parts) {
    const isRaw = typeof content === "object" && "deflated" in content;
    const plain = isRaw ? new Uint8Array() : Buffer.from(content as string);
    const packed = Buffer.from(isRaw ? content.deflated : deflateRawSync(plain));
    const size = isRaw ? content.claimedSize : plain.length;
    const nameBytes = Buffer.from(name as string);
    const utf8Flag = typeof name === "string" ? 0x800 : 0;
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(flags | utf8Flag, 6);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(crc32(plain), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(size, 22);
    head.writeUInt16LE(nameBytes.length, 26);
    bodies.push(head, nameBytes, packed);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    head.copy(entry, 6, 4, 30);
    if (mode !== undefined) {
      // Made on Unix, a regular file.
      entry.writeUInt16LE((3 << 8) | 20, 4);
      entry.writeUInt32LE(((0o100_000 | mode) << 16) >>> 0, 38);
    }
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, nameBytes, extra);
    offset += head.length + nameBytes.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...bodies, list, end]));
};

/** Info-ZIP's extra field with a name in UTF-8; `stored` is the name as the entry itself has it. */
export const unicodePath = (stored: Uint8Array, name: string): Uint8Array => {
  const utf8 = Buffer.from(name);
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(5 + utf8.length, 2);
  field.writeUInt8(1, 4);
  field.writeUInt32LE(crc32(stored), 5);
  return Buffer.concat([field, utf8]);
};

/** A deflate stream of a few kilobytes that unpacks to the given number of mebibytes of zeros. */
export const deflateBomb = (mebibytes: number): Uint8Array => {
  const block = deflateRawSync(Buffer.alloc(1 << 20), { finishFlush: constants.Z_FULL_FLUSH });
  return new Uint8Array(Buffer.concat([...new Array<Buffer>(mebibytes).fill(block), Buffer.from([3, 0])]));
};

/** The parts that every Word document needs, around a body. */
export const docxParts = (body: string, more: ZipPart[] = [], relations = ""): ZipPart[] => [
  { name: "[Content_Types].xml", content: "<Types/>" },
  {
    name: "_rels/.rels",
    content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  },
  {
    name: "word/_rels/document.xml.rels",
    content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`,
  },
  {
    name: "word/document.xml",
    content: `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>${body}</w:body></w:document>`,
  },
  ...more,
];
