import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../../domain/errors.ts";
import { checkManifest, checkRecord, RecordFault } from "../../portability/entry.ts";
import {
  type ExportedRecord,
  fileOfKind,
  formatVersion,
  type Kind,
  kinds,
  type Manifest,
} from "../../portability/format.ts";
import { readSmallFile, UnreadableFile } from "../../system/read-small-file.ts";
import { linesOfFile } from "./export-folder.ts";

/** Number of faults that are reported; later ones are not looked for. */
const maxFaults = 20;
/** A manifest has some two kilobytes. */
const maxManifestBytes = 65_536;

const faultOf = (error: unknown): string => {
  if (error instanceof RecordFault) return error.message;
  if (error instanceof SyntaxError) return "it is no JSON";
  if (error instanceof RangeError) return "it is nested too deep";
  throw error;
};

/** The record of one line. @throws CommandFailure that names file and line */
export const readRecord = <K extends Kind>(kind: K, line: number, text: string | null): ExportedRecord[K] => {
  try {
    return parseRecord(kind, text);
  } catch (error) {
    throw new CommandFailure(`${fileOfKind[kind]}:${line}: ${faultOf(error)}.`);
  }
};

const parseRecord = <K extends Kind>(kind: K, text: string | null): ExportedRecord[K] => {
  if (text === null) throw new RecordFault("the line is too long, or not UTF-8");
  return checkRecord(kind, JSON.parse(text));
};

/** @throws CommandFailure that says what is wrong with the folder */
export const readManifest = async (source: string): Promise<Manifest> => {
  try {
    const bytes = await readSmallFile(join(source, "manifest.json"), {
      maxBytes: maxManifestBytes,
      what: "a manifest",
    });
    const value: unknown = JSON.parse(bytes.toString());
    const version = (value as { formatVersion?: unknown } | null)?.formatVersion;
    if (typeof version === "number" && version > formatVersion)
      throw new CommandFailure(
        `The export has format version ${version}, and this Carrel reads versions up to ${formatVersion}: import it with a newer Carrel.`,
      );
    return checkManifest(value);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    if (error instanceof UnreadableFile && error.code === "ENOENT")
      throw new CommandFailure(
        `${source} is no finished export: it has no manifest.json. An export that was interrupted is run again with the same folder.`,
      );
    throw new CommandFailure(
      `manifest.json: ${error instanceof UnreadableFile ? `it ${error.message}` : faultOf(error)}.`,
    );
  }
};

/** SHA-256 of a file, in hexadecimal digits. */
const digestOfFile = async (path: string): Promise<string> => {
  const hash = createHash("sha256");
  for await (const piece of Bun.file(path).stream()) hash.update(piece);
  return hash.digest("hex");
};

const checkFile = async (
  source: string,
  kind: Kind,
  { files }: Manifest,
  originals: ReadonlySet<string>,
  onRecord: () => void,
): Promise<string[]> => {
  const name = fileOfKind[kind];
  const path = join(source, name);
  // A device or a pipe may never end.
  if ((await stat(path).catch(() => null))?.isFile() !== true) return [`${name}: there is no such file`];
  const faults: string[] = [];
  const hash = createHash("sha256");
  /** Originals that were read: documents may share one. */
  const read = new Map<string, boolean>();
  const isNamedByContent = async (file: string): Promise<boolean> => {
    const known = read.get(file) ?? (await digestOfFile(join(source, "files", file))) === file;
    read.set(file, known);
    return known;
  };
  let records = 0;
  for await (const { line, text } of linesOfFile(path, (bytes) => hash.update(bytes))) {
    records += 1;
    onRecord();
    if (faults.length === maxFaults) continue;
    try {
      const record: ExportedRecord[Kind] = parseRecord(kind, text);
      const file = kind === "document" ? (record as ExportedRecord["document"]).file : null;
      if (file === null) continue;
      if (!originals.has(file)) faults.push(`${name}:${line}: files/${file} is missing`);
      else if (!(await isNamedByContent(file)))
        faults.push(`${name}:${line}: files/${file} has another content than its name says`);
    } catch (error) {
      faults.push(`${name}:${line}: ${faultOf(error)}`);
    }
  }
  const listed = files[name];
  if (faults.length === 0 && (records !== listed.records || hash.digest("hex") !== listed.sha256))
    faults.push(
      `${name}: it was changed since the export, or is cut off (manifest.json names another SHA-256, and ${listed.records} records; it has ${records})`,
    );
  return faults;
};

/**
 * Reads all of an export and checks it, before anything of it is stored.
 * @param onRecord called for each record
 * @throws CommandFailure that names file and line of each fault
 */
export const checkFolder = async (source: string, manifest: Manifest, onRecord: () => void): Promise<void> => {
  const entries = await readdir(join(source, "files"), { withFileTypes: true }).catch(() => []);
  const originals = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
  const faults: string[] = [];
  for (const kind of kinds) faults.push(...(await checkFile(source, kind, manifest, originals, onRecord)));
  if (faults.length > 0)
    throw new CommandFailure(
      `The export cannot be imported, and nothing of it was:\n${faults.slice(0, maxFaults).join("\n")}`,
    );
};
