import { makeCompoundFile } from "./compound-file.ts";

/** A property of a message or an attachment: its id (MS-OXPROPS), and a text, bytes, a number or a date. */
export interface SampleProperty {
  id: number;
  /** Text as UTF-16; bytes of a text in the message's code page; bytes; a 32-bit number; a date. */
  value: string | { ansi: Uint8Array } | Uint8Array | number | Date;
}

export interface SampleMessage {
  properties: readonly SampleProperty[];
  /** Properties of attachments, or messages attached. */
  attachments?: readonly (readonly SampleProperty[] | SampleMessage)[];
}

const type = { integer: 0x0003, time: 0x0040, ansi: 0x001e, unicode: 0x001f, binary: 0x0102 };

/** An Outlook message (MS-OXMSG). */
export const makeOutlookMessage = (message: SampleMessage): Uint8Array =>
  makeCompoundFile(messageStreams(message, "", 32));

type Streams = Record<string, Uint8Array>;

const messageStreams = (
  { properties, attachments = [] }: SampleMessage,
  folder: string,
  headerBytes: number,
): Streams => {
  const streams: Streams = propertyStreams(properties, folder, headerBytes);
  attachments.forEach((attachment, index) => {
    const inner = `${folder}__attach_version1.0_#${index.toString(16).toUpperCase().padStart(8, "0")}/`;
    if ("properties" in attachment)
      Object.assign(streams, messageStreams(attachment, `${inner}__substg1.0_3701000D/`, 24));
    else Object.assign(streams, propertyStreams(attachment, inner, 8));
  });
  return streams;
};

const propertyStreams = (properties: readonly SampleProperty[], folder: string, headerBytes: number): Streams => {
  const streams: Streams = {};
  const fixed: Buffer[] = [Buffer.alloc(headerBytes)];
  for (const { id, value } of properties) {
    const { kind, stream, bytes } = stored(value);
    const tag = id * 0x10000 + kind;
    const record = Buffer.alloc(16);
    record.writeUInt32LE(tag, 0);
    record.writeUInt32LE(6, 4);
    if (stream) {
      streams[`${folder}__substg1.0_${tag.toString(16).toUpperCase().padStart(8, "0")}`] = bytes;
      record.writeUInt32LE(bytes.length, 8);
    } else record.set(bytes, 8);
    fixed.push(record);
  }
  streams[`${folder}__properties_version1.0`] = Buffer.concat(fixed);
  return streams;
};

const stored = (value: SampleProperty["value"]): { kind: number; stream: boolean; bytes: Uint8Array } => {
  if (typeof value === "string") return { kind: type.unicode, stream: true, bytes: Buffer.from(value, "utf16le") };
  if (typeof value === "number") {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(value);
    return { kind: type.integer, stream: false, bytes };
  }
  if (value instanceof Date) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE((BigInt(value.getTime()) + 11_644_473_600_000n) * 10_000n);
    return { kind: type.time, stream: false, bytes };
  }
  return value instanceof Uint8Array
    ? { kind: type.binary, stream: true, bytes: value }
    : { kind: type.ansi, stream: true, bytes: value.ansi };
};
