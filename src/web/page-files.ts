import { type FixedContent, fixedContent } from "../http/fixed-content.ts";
import { readCarriedFile } from "../system/carried-file.ts";
import type { PageFile } from "./bundle-pages.ts";

/** A page file in the compiled binary, where only its path is known. */
export interface EmbeddedPageFile extends Omit<PageFile, "bytes"> {
  file: string;
}

/** Read and compressed when it is first asked for: some are seldom, and large. */
export interface LoadedPageFile extends Omit<PageFile, "bytes">, FixedContent {}

/** The scripts and styles of the pages, by their ids, such as `chat.js`. */
export type PageFiles = ReadonlyMap<string, LoadedPageFile>;

/** Loads the files at the first call. */
export type LoadPageFiles = () => Promise<PageFiles>;

/** @param embedded what the binary carries; null from source: then they are bundled at the first call */
export const createPageFiles = (embedded: readonly EmbeddedPageFile[] | null): LoadPageFiles => {
  let loading: Promise<PageFiles> | null = null;
  return () => {
    loading ??= load(embedded).catch((error: unknown) => {
      loading = null; // the next call tries again
      throw error;
    });
    return loading;
  };
};

const load = async (embedded: readonly EmbeddedPageFile[] | null): Promise<PageFiles> => {
  const files =
    embedded === null
      ? (await (await import("./bundle-pages.ts")).bundlePages()).map(({ bytes, ...file }) => ({
          ...file,
          read: async () => bytes,
        }))
      : embedded.map(({ file, ...rest }) => ({ ...rest, read: () => readCarriedFile(file) }));
  return new Map(files.map(({ read, ...file }) => [file.id, { ...file, ...fixedContent(read) }]));
};

/** Where a file is served. @param prefix of every path, as browsers reach the server @throws Error if there is none of that id */
export const pathOf = (files: PageFiles, id: string, prefix: string): string =>
  `${prefix}/pages/${fileOf(files, id).name}`;

/** Where a script and what it imports are served: a browser that is told of all loads them at once. */
export const pathsOfScript = (files: PageFiles, id: string, prefix: string): string[] => {
  const byName = new Map([...files.values()].map((file) => [file.name, file]));
  const names = new Set([fileOf(files, id).name]);
  // What is added while the set is gone through is visited too.
  for (const name of names) for (const imported of byName.get(name)?.imports ?? []) names.add(imported);
  return [...names].map((name) => `${prefix}/pages/${name}`);
};

const fileOf = (files: PageFiles, id: string): LoadedPageFile => {
  const file = files.get(id);
  if (file === undefined) throw new Error(`there is no page file ${id}`);
  return file;
};
