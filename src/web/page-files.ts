import { extname, parse } from "node:path";
import { promisify } from "node:util";
import { gzip, type ZlibOptions } from "node:zlib";
import type { PageFile } from "./bundle-pages.ts";

/** A page file in the compiled binary, where only its path is known. */
export interface EmbeddedPageFile extends Omit<PageFile, "bytes"> {
  file: string;
}

/** Read and compressed when it is first asked for: some are seldom, and large. */
export interface LoadedPageFile extends Omit<PageFile, "bytes"> {
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  gzipped(): Promise<Uint8Array<ArrayBuffer>>;
}

/** The scripts and styles of the pages, by name without hash, such as `chat.js`. */
export type PageFiles = ReadonlyMap<string, LoadedPageFile>;

/** Loads the files at the first call. */
export type LoadPageFiles = () => Promise<PageFiles>;

/** Parts that a page loads later have nothing but a hash for a name. */
const withoutHash = (name: string): string =>
  name.startsWith("chunk-") ? name : `${parse(name).name.replace(/-[a-z0-9]{8}$/, "")}${extname(name)}`;

/** @param embedded what the binary carries; null from source: then they are bundled at the first call */
export const createPageFiles = (embedded: readonly EmbeddedPageFile[] | null): LoadPageFiles => {
  let loading: Promise<PageFiles> | null = null;
  return () => {
    loading ??= load(embedded);
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
      : embedded.map(({ file, ...rest }) => ({ ...rest, read: () => Bun.file(file).bytes() }));
  return new Map(
    files.map(({ read, ...file }) => {
      const bytes = once(read);
      return [
        withoutHash(file.name),
        { ...file, bytes, gzipped: once(async () => await compress(await bytes(), { level: 9 })) },
      ];
    }),
  );
};

/** On a thread of its own: a worker of a megabyte takes longer than a request may wait for others. */
const compress = promisify(gzip) as (bytes: Uint8Array, options: ZlibOptions) => Promise<Buffer<ArrayBuffer>>;

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
};

/** Where a file is served. @throws Error if there is none of that name */
export const pathOf = (files: PageFiles, name: string): string => {
  const file = files.get(name);
  if (file === undefined) throw new Error(`there is no page file ${name}`);
  return `/pages/${file.name}`;
};
