import { writeMarkdown } from "../../src/parse/blocks/write-markdown.ts";
import { charsetOfCodePage, decodeText } from "../../src/parse/containers/charset.ts";
import { openZip } from "../../src/parse/containers/zip.ts";
import { readHtmlFragment } from "../../src/parse/formats/html/html.ts";
import { parseFile } from "../../src/parse/parse-file.ts";

export const formats = ["zip", "msg", "docx", "xlsx", "pptx", "odt", "ods", "odp", "rtf"] as const;
export type Format = (typeof formats)[number];

/** @returns what was read as Markdown, in one or several renderings */
export type Read = (bytes: Uint8Array, format: Format) => Promise<string[]>;

export interface Reader {
  /** Packages of the reader; none for Carrel's own. */
  packages: readonly string[];
  formats: readonly Format[];
  /** @param folder where the packages are installed */
  load(folder: string): Promise<Read>;
}

const maxUnpackedBytes = 256 * 1_048_576;
const officeFormats: readonly Format[] = ["docx", "xlsx", "pptx", "odt", "ods", "odp", "rtf"];

/** A package of the folder; what of it is used is declared where it is. */
const load = async <T>(folder: string, name: string): Promise<T> => {
  const loaded: { default?: T } = await import(Bun.resolveSync(name, folder));
  return loaded.default ?? (loaded as T);
};

/** The files of an archive by name, each with its size and checksum. */
const listing = (files: Iterable<readonly [name: string, bytes: Uint8Array]>): string[] => [
  [...files].map(([name, bytes]) => `| ${name} | ${bytes.length} | ${Bun.hash.crc32(bytes)} |`).join("\n"),
];

const htmlToMarkdown = (html: string): string => writeMarkdown(readHtmlFragment(html, null)).text;

const carrel: Reader = {
  packages: [],
  formats,
  load: async () => async (bytes, format) => {
    if (format === "zip") {
      const zip = openZip(bytes, { remainingBytes: maxUnpackedBytes });
      return listing(zip.names.map((name) => [name, zip.read(name) ?? new Uint8Array()] as const));
    }
    const file = { bytes, name: `file.${format}`, mimeType: null };
    const { text } = await parseFile(file, { maxUnpackedBytes, maxPages: 5_000, maxTextLength: 1e9, ocr: null });
    return [text];
  },
};

interface Yauzl {
  fromBufferPromise(buffer: Buffer, options: object): Promise<YauzlFile>;
}
interface YauzlFile {
  eachEntry(): AsyncIterable<{ fileName: string }>;
  openReadStreamPromise(entry: object): Promise<AsyncIterable<Uint8Array>>;
}

const yauzl: Reader = {
  packages: ["yauzl"],
  formats: ["zip"],
  async load(folder) {
    const { fromBufferPromise } = await load<Yauzl>(folder, "yauzl");
    return async (bytes) => {
      const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
        lazyEntries: true,
      });
      const files: [string, Uint8Array][] = [];
      let left = maxUnpackedBytes;
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName.endsWith("/")) continue;
        const parts: Uint8Array[] = [];
        for await (const part of await zip.openReadStreamPromise(entry)) {
          left -= part.length;
          if (left < 0) throw new Error("It unpacks to too much.");
          parts.push(part);
        }
        files.push([entry.fileName, Buffer.concat(parts)]);
      }
      return listing(files);
    };
  },
};

interface ZipJs {
  configure(options: object): void;
  Uint8ArrayReader: new (bytes: Uint8Array) => object;
  ZipReader: new (
    reader: object,
    options: object,
  ) => {
    getEntriesGenerator(): AsyncIterable<{
      filename: string;
      directory: boolean;
      getData?(writable: WritableStream<Uint8Array>): Promise<unknown>;
    }>;
  };
}

const zipJs: Reader = {
  packages: ["@zip.js/zip.js"],
  formats: ["zip"],
  async load(folder) {
    const { configure, Uint8ArrayReader, ZipReader } = await load<ZipJs>(folder, "@zip.js/zip.js");
    configure({ useWebWorkers: false });
    return async (bytes) => {
      const files: [string, Uint8Array][] = [];
      let left = maxUnpackedBytes;
      const zip = new ZipReader(new Uint8ArrayReader(bytes), { checkSignature: false });
      for await (const { filename, directory, ...entry } of zip.getEntriesGenerator()) {
        if (directory) continue;
        const parts: Uint8Array[] = [];
        const write = (part: Uint8Array) => {
          left -= part.length;
          if (left < 0) throw new Error("It unpacks to too much.");
          parts.push(part.slice());
        };
        await entry.getData?.(new WritableStream<Uint8Array>({ write }));
        files.push([filename, Buffer.concat(parts)]);
      }
      return listing(files);
    };
  },
};

interface MessageFields {
  subject?: string;
  senderName?: string;
  senderEmail?: string;
  senderSmtpAddress?: string;
  clientSubmitTime?: string;
  messageDeliveryTime?: string;
  body?: string;
  bodyHtml?: string;
  html?: Uint8Array;
  internetCodepage?: number;
  messageCodepage?: number;
  recipients?: { name?: string; email?: string }[];
  attachments?: { innerMsgContent?: boolean }[];
}
interface MessageReader {
  parserConfig?: { ansiEncoding: string };
  getFileData(): MessageFields;
  getAttachment(attachment: object): { fileName: string; content: Uint8Array };
}

/** It knows no code page by itself: the one that the message names is given to it in a second reading. */
const msgreader: Reader = {
  packages: ["@kenjiuno/msgreader"],
  formats: ["msg"],
  async load(folder) {
    const module = await load<{ default?: unknown }>(folder, "@kenjiuno/msgreader");
    const MsgReader = (module.default ?? module) as new (buffer: ArrayBuffer) => MessageReader;
    const read = (bytes: Uint8Array): string => {
      const charset = charsetOfCodePage(new MsgReader(bytes.slice().buffer).getFileData().messageCodepage ?? 0);
      const reader = new MsgReader(bytes.slice().buffer);
      if (charset !== null) reader.parserConfig = { ansiEncoding: charset };
      const mail = reader.getFileData();
      const date = new Date(mail.clientSubmitTime ?? mail.messageDeliveryTime ?? "");
      const html = mail.html
        ? decodeText(mail.html, charsetOfCodePage(mail.internetCodepage ?? 0)).text
        : (mail.bodyHtml ?? "");
      const attached = (mail.attachments ?? []).map((attachment) => {
        const { fileName, content } = reader.getAttachment(attachment);
        return attachment.innerMsgContent
          ? `## ${fileName}\n\n${read(content)}`
          : `## ${fileName}\n\n${decodeText(content, null).text}`;
      });
      return [
        `# ${mail.subject}`,
        `From: ${mail.senderName} <${mail.senderSmtpAddress ?? mail.senderEmail}>`,
        `To: ${mail.recipients?.map(({ name, email }) => `${name} <${email}>`).join(", ")}`,
        `Date: ${Number.isNaN(date.getTime()) ? "" : date.toISOString()}`,
        html === "" ? (mail.body ?? "") : htmlToMarkdown(html),
        ...attached,
      ].join("\n\n");
    };
    return async (bytes) => [read(bytes)];
  },
};

interface Mammoth {
  convertToHtml(input: { buffer: Buffer }): Promise<{ value: string }>;
}

const mammoth: Reader = {
  packages: ["mammoth"],
  formats: ["docx"],
  async load(folder) {
    const { convertToHtml } = await load<Mammoth>(folder, "mammoth");
    return async (bytes) => [htmlToMarkdown((await convertToHtml({ buffer: Buffer.from(bytes) })).value)];
  },
};

interface OfficeParser {
  parseOffice(bytes: Buffer, options: object): Promise<{ to(format: "md" | "html"): Promise<{ value: string }> }>;
}

/** Its Markdown, and its HTML read as Carrel reads HTML: a fact counts in whichever it is. The HTML is written the first time only. */
const officeparser: Reader = {
  packages: ["officeparser"],
  formats: officeFormats,
  async load(folder) {
    const { parseOffice } = await load<OfficeParser>(folder, "officeparser");
    let isFirst = true;
    return async (bytes, format) => {
      const file = await parseOffice(Buffer.from(bytes), {
        fileType: format,
        decompressionLimits: { maxUncompressedBytes: maxUnpackedBytes },
      });
      const markdown = (await file.to("md")).value;
      if (!isFirst) return [markdown];
      isFirst = false;
      return [markdown, htmlToMarkdown((await file.to("html")).value)];
    };
  },
};

export const readers: Readonly<Record<string, Reader>> = {
  carrel,
  yauzl,
  "zip.js": zipJs,
  msgreader,
  mammoth,
  officeparser,
};
