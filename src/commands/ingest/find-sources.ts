import { lstat, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { externalIdOfFile } from "../../folders/target.ts";
import { errorCode, walkFolder } from "../../folders/walk-folder.ts";
import { storedText } from "../../text/clean-text.ts";
import type { ClientOptions } from "../client/client.ts";

/** Something to be ingested. `externalId` is the same at every run: a source that is ingested again is replaced. */
export type IngestSource = { shown: string; externalId: string } & (
  | {
      kind: "file";
      path: string;
      name: string;
      /** Found in a folder, not named: one that cannot be read is skipped. */
      found: boolean;
    }
  | { kind: "address"; url: string; isPage: boolean }
  | { kind: "missing"; error: string }
);

/**
 * Finds what the arguments name: files, the files of folders (see `walkFolder`), and web addresses. A path that does
 * not exist is `missing`: the others are found all the same.
 */
export async function* findSources(
  arguments_: readonly string[],
  { cwd, machine = "" }: { cwd: string; machine?: string },
): AsyncGenerator<IngestSource> {
  const at = { cwd, machine };
  for (const argument of arguments_) {
    if (/^https?:\/\//i.test(argument)) {
      yield { kind: "address", shown: argument, externalId: argument, url: argument, isPage: isPage(argument) };
      continue;
    }
    const path = resolve(cwd, argument);
    const found = await stat(path).catch(errorCode);
    if (typeof found === "string") {
      const error = found === "ENOENT" ? `There is no file or folder ${argument}.` : unreadable(argument, found);
      yield { kind: "missing", shown: argument, externalId: path, error };
    } else if (found.isDirectory()) yield* filesIn(path, at);
    else yield fileSource(path, basename(path), false, at);
  }
}

interface Place {
  cwd: string;
  machine: string;
}

/** The machine in the identity of files (`externalIdOfFile`): of a server elsewhere, others are clients too. */
export const machineOf = ({ server }: ClientOptions): string => (server === undefined ? "" : hostname());

async function* filesIn(folder: string, at: Place): AsyncGenerator<IngestSource> {
  for await (const entry of walkFolder(folder)) {
    const path = join(folder, entry.path);
    const code = entry.kind === "unreadable" ? entry.code : "its name is not UTF-8: rename it";
    const found = entry.kind === "file" ? await lstat(path).catch(errorCode) : code;
    if (typeof found !== "string") {
      if (found.isFile()) yield fileSource(path, entry.path, true, at);
    } else if (found !== "ENOENT") {
      // What disappears during the walk is no fault.
      const shown = relative(at.cwd, path) || path;
      yield { kind: "missing", shown, externalId: path, error: unreadable(shown, found) };
    }
  }
}

const unreadable = (shown: string, code: string): string => `${shown} cannot be read (${code}).`;

const fileSource = (path: string, name: string, found: boolean, { cwd, machine }: Place): IngestSource => ({
  kind: "file",
  shown: relative(cwd, path) || path,
  externalId: externalIdOfFile(path, machine),
  path,
  name,
  found,
});

/** An address without an extension, or with that of a page, is a web page; any other one a file. */
const isPage = (url: string): boolean => {
  const last = URL.canParse(url) ? (new URL(url).pathname.split("/").at(-1) ?? "") : "";
  const extension = /\.([A-Za-z0-9]{1,8})$/.exec(last)?.[1]?.toLowerCase();
  return extension === undefined || ["html", "htm", "xhtml", "php", "asp", "aspx", "jsp"].includes(extension);
};

/** The name of a file as the head of a form's part can carry it: without control characters. */
export const sentFileName = (path: string): string =>
  storedText(path.split("/").at(-1) ?? path).replace(/[\t\r\n]/g, " ");
