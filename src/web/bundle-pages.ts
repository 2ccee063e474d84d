import { basename, extname, join } from "node:path";
import { readGuides } from "./read-guides.ts";

/** What a page loads from this server: scripts, style sheets, and the guides. */
export interface PageFile {
  /** As in `chat-1a2b3c4d.js`: the hash changes with the content, so browsers may keep the file for ever. */
  name: string;
  /** The name without the hash, `chat.js`, by which pages ask for it; of a part that several scripts share, the name. */
  id: string;
  mimeType: string;
  /** Names of the files that a script imports: the browser needs them before it runs. */
  imports: readonly string[];
  bytes: Uint8Array<ArrayBuffer>;
}

const folder = join(import.meta.dir, "browser");
/** Pages of their own, each loaded at once. The console loads parts of it when they are needed. */
const entries = [
  "authorize/authorize.tsx",
  "chat/chat.tsx",
  "chat/chat.css",
  "docs/docs.tsx",
  "docs/docs.css",
  "widget/embed.ts",
];
const consoleEntries = ["console/console.tsx", "console/console.css"];

/** Absolute paths of what the pages are bundled from. */
export const pageEntries: readonly string[] = [...entries, ...consoleEntries].map((entry) => join(folder, entry));

const mimeTypes: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/**
 * Bundles the pages' scripts and styles. The build puts the result into the binary; from source a server makes it at its
 * start.
 * @throws AggregateError what the bundler reports
 */
export const bundlePages = async (): Promise<PageFile[]> =>
  (await Promise.all([bundle(entries, false), bundle(consoleEntries, true), bundleGuides()])).flat();

const bundleGuides = async (): Promise<PageFile[]> => {
  const bytes = new TextEncoder().encode(JSON.stringify(await readGuides()));
  const hash = Bun.hash(bytes).toString(36).padStart(8, "0").slice(0, 8);
  return [{ name: `guides-${hash}.json`, id: "guides.json", mimeType: "application/json", imports: [], bytes }];
};

const bundle = async (given: readonly string[], splitting: boolean): Promise<PageFile[]> => {
  const { outputs, metafile } = await Bun.build({
    entrypoints: given.map((entry) => join(folder, entry)),
    root: folder,
    target: "browser",
    minify: true,
    splitting,
    metafile: true,
    // Relative: the server may be reached under a prefix.
    publicPath: "./",
    naming: { entry: "[name]-[hash].[ext]", chunk: "part-[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const nameOf = (path: string): string => path.replace(/^\.?\//, "");
  const facts = new Map(Object.entries(metafile?.outputs ?? {}).map(([path, output]) => [nameOf(path), output]));
  return await Promise.all(
    outputs.map(async (output) => {
      const name = nameOf(output.path);
      const { entryPoint, imports = [] } = facts.get(name) ?? {};
      const isShared = output.kind === "chunk" && entryPoint === undefined;
      return {
        name,
        id: isShared ? name : withoutHash(name),
        mimeType: mimeTypes[extname(name)] ?? "application/octet-stream",
        imports: imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => nameOf(path)),
        bytes: new Uint8Array(await output.arrayBuffer()),
      };
    }),
  );
};

/** The name that a file is asked for by, whatever it holds: see `naming`. */
const withoutHash = (name: string): string => {
  const extension = extname(name);
  return (
    basename(name, extension)
      .replace(/^part-/, "")
      .replace(/-[a-z0-9]{8}$/, "") + extension
  );
};
