import { fileTypeFromBuffer } from "file-type";
import { unreadable, unsupported } from "../blocks/blocks.ts";
import { decodeText } from "../containers/charset.ts";
import { isCompoundFile, openCompoundFile } from "../containers/compound-file.ts";
import { isTar } from "../containers/tar.ts";
import { isZip, openZip, type UnpackBudget } from "../containers/zip.ts";
import { type FileKind, fileKinds } from "./file-kind.ts";
import { detectTextKind } from "./text-kind.ts";

export interface DetectedFile {
  kind: FileKind | "image";
  mimeType: string;
  /** The decoded text of a text kind, else null. */
  text: string | null;
  /** The charset it was decoded from. */
  charset: string | null;
}

/**
 * Recognizes what a file is, by its content first. The declared type and the name count where the content is ambiguous.
 * @throws ApiError 415 `unsupported_file_type`, 422 `unreadable_file` for a locked or broken container
 */
export const detectKind = async (
  file: { bytes: Uint8Array; name: string | null; mimeType: string | null; charset?: string | null | undefined },
  budget: UnpackBudget,
): Promise<DetectedFile> => {
  const { bytes } = file;
  const ofKind = (kind: FileKind): DetectedFile => ({ kind, mimeType: fileKinds[kind], text: null, charset: null });
  if (isPdf(bytes)) return ofKind("pdf");
  if (isZip(bytes)) return ofKind(zipKind(bytes, budget));
  if (isTar(bytes)) return ofKind("tar");
  if (isCompoundFile(bytes)) return ofKind(compoundFileKind(bytes, declaredOldOffice(file.mimeType, file.name)));

  if (new TextDecoder("latin1").decode(bytes.subarray(0, 16)) === "SQLite format 3\0") {
    throw unsupported("The file is an SQLite database, which cannot be read. Export its tables as CSV.");
  }

  const declared = splitType(file.mimeType);
  const decoded = decodeText(bytes, file.charset ?? declared.charset);
  if (decoded.isText && !isDisguised(bytes)) {
    const kind = detectTextKind(decoded.text, declared.mimeType, file.name);
    return { kind, mimeType: textMimeType(kind, declared.mimeType), text: decoded.text, charset: decoded.charset };
  }
  const found = await fileTypeFromBuffer(bytes.subarray(0, 65_536)).catch(() => undefined);
  if (found?.mime.startsWith("image/")) return { kind: "image", mimeType: found.mime, text: null, charset: null };
  throw unsupported(
    found
      ? `Files of type ${found.mime} hold no text that can be read.`
      : "The file is not text and not of a kind that can be read.",
  );
};

/** Writers put up to a kilobyte before the signature (ISO 32000-1, annex H.3.4.1), so it may stand anywhere in that. */
const isPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder("latin1").decode(bytes.subarray(0, 1024)).includes("%PDF-");

/** Binary kinds whose first bytes are valid text in some charset. */
const isDisguised = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) || (bytes[0] === 0x89 && bytes[1] === 0x50);

/** Office files by the parts they hold; a plain archive otherwise. */
const zipKind = (bytes: Uint8Array, budget: UnpackBudget): FileKind => {
  const zip = openZip(bytes, budget);
  const names = new Set(zip.names);
  const has = (prefix: string) => zip.names.some((name) => name.startsWith(prefix));
  if (names.has("mimetype") && zip.size("mimetype") < 200) {
    const stated = new TextDecoder().decode(zip.read("mimetype") ?? new Uint8Array()).trim();
    for (const kind of ["odt", "ods", "odp", "epub"] as const) {
      if (stated === fileKinds[kind] || stated === `${fileKinds[kind]}-template`) return kind;
    }
  }
  if (names.has("[Content_Types].xml") || has("_rels/")) {
    if (has("word/")) return "docx";
    if (has("ppt/")) return "pptx";
    if (names.has("xl/workbook.bin")) throw unsupported("Binary workbooks (.xlsb) cannot be read. Save it as .xlsx.");
    if (has("xl/")) return "xlsx";
  }
  if (names.has("Index/Document.iwa") || names.has("Index.zip") || names.has("index.apxl") || names.has("index.xml")) {
    throw unsupported(
      "Documents of Pages, Numbers and Keynote cannot be read. Export the document as PDF or as a Word, Excel or PowerPoint file.",
    );
  }
  return names.has("META-INF/container.xml") ? "epub" : "zip";
};

/** Kinds of compound files that only a parsing server reads. */
const oldOfficeKinds = ["doc", "xls", "ppt"] as const;
type OldOfficeKind = (typeof oldOfficeKinds)[number];

/** What the name, or else the declared type, calls a compound file whose content does not tell. */
const declaredOldOffice = (mimeType: string | null, name: string | null): OldOfficeKind | null => {
  const extension = name?.toLowerCase().split(".").at(-1);
  const declared = splitType(mimeType).mimeType;
  return (
    oldOfficeKinds.find((kind) => kind === extension) ??
    oldOfficeKinds.find((kind) => fileKinds[kind] === declared) ??
    null
  );
};

/**
 * @param declared of an old Office file that is broken or has unusual streams: whether it can be read is the parsing
 *   server's to say, and without one it is refused for what it is
 */
const compoundFileKind = (bytes: Uint8Array, declared: OldOfficeKind | null): FileKind => {
  let paths: Set<string>;
  try {
    paths = new Set(openCompoundFile(bytes).paths);
  } catch (cause) {
    if (declared !== null) return declared;
    throw unreadable("The file is cut off or broken.", cause);
  }
  if (paths.has("EncryptedPackage") || paths.has("EncryptionInfo")) {
    throw unreadable("The file is locked with a password. Unlock it and try again.");
  }
  if (paths.has("__properties_version1.0")) return "msg";
  if (paths.has("WordDocument")) return "doc";
  if (paths.has("Workbook") || paths.has("Book")) return "xls";
  if (paths.has("PowerPoint Document")) return "ppt";
  if (declared !== null) return declared;
  throw unsupported("Files of this old compound format cannot be read.");
};

const splitType = (value: string | null): { mimeType: string | null; charset: string | null } => {
  const [type = "", ...rest] = (value ?? "").split(";");
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(rest.join(";"))?.[1] ?? null;
  const mimeType = type.trim().toLowerCase();
  return { mimeType: mimeType === "" || mimeType === "application/octet-stream" ? null : mimeType, charset };
};

/** The declared type where it names the same kind more precisely (`text/x-rst`), else the kind's own. */
const textMimeType = (kind: FileKind, declared: string | null): string => {
  if (kind === "text" && declared?.startsWith("text/") && declared !== "text/html") return declared;
  return fileKinds[kind];
};
