import { lstat, readdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { isDataFolder } from "../../folders/data-folder.ts";
import { externalIdOfFile } from "../../folders/file-identity.ts";

/** Something to be ingested. `externalId` is the same at every run: what comes again replaces what was. */
export type IngestSource = { shown: string; externalId: string } & (
  | {
      kind: "file";
      path: string;
      name: string;
      /** Found in a folder, not named: one that cannot be read is passed over. */
      found: boolean;
    }
  | { kind: "address"; url: string; isPage: boolean }
  | { kind: "missing"; error: string }
);

/**
 * What the arguments name: files, the files of folders (in order of their names; hidden ones, links and data of
 * Carrel's own left out), and web addresses. A path that leads nowhere is `missing`: the others are found all the same.
 */
export async function* findSources(arguments_: readonly string[], cwd: string): AsyncGenerator<IngestSource> {
  for (const argument of arguments_) {
    if (/^https?:\/\//i.test(argument)) {
      yield { kind: "address", shown: argument, externalId: argument, url: argument, isPage: isPage(argument) };
      continue;
    }
    const path = resolve(cwd, argument);
    const found = await stat(path).catch(codeOf);
    if (typeof found === "string") {
      const error = found === "ENOENT" ? `There is no file or folder ${argument}.` : unreadable(argument, found);
      yield { kind: "missing", shown: argument, externalId: path, error };
    } else if (found.isDirectory()) yield* filesIn(path, path, cwd);
    else yield fileSource(path, basename(path), false, cwd);
  }
}

async function* filesIn(folder: string, top: string, cwd: string): AsyncGenerator<IngestSource> {
  const missing = (path: string, code: string): IngestSource => {
    const shown = relative(cwd, path) || path;
    return { kind: "missing", shown, externalId: path, error: unreadable(shown, code) };
  };
  const names = await readdir(folder).catch(codeOf);
  if (typeof names === "string") {
    // What went while the folder was gone through is no fault.
    if (names !== "ENOENT") yield missing(folder, names);
    return;
  }
  if (isDataFolder(names)) return;
  for (const name of names.sort()) {
    const path = join(folder, name);
    if (name.startsWith(".")) continue;
    // A link could lead out of the folder, or round in a circle.
    const found = await lstat(path).catch(codeOf);
    if (typeof found === "string") {
      if (found !== "ENOENT") yield missing(path, found);
    } else if (found.isDirectory()) yield* filesIn(path, top, cwd);
    else if (found.isFile()) yield fileSource(path, relative(top, path).split(sep).join("/"), true, cwd);
  }
}

const codeOf = (error: { code?: string }): string => error.code ?? String(error);

const unreadable = (shown: string, code: string): string => `${shown} cannot be read (${code}).`;

const fileSource = (path: string, name: string, found: boolean, cwd: string): IngestSource => ({
  kind: "file",
  shown: relative(cwd, path) || path,
  externalId: externalIdOfFile(path),
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
