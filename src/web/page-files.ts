import { type FixedContent, fixedContent } from "../http/fixed-content.ts";
import { escapeHtml, pageIcon } from "../http/html-page.ts";
import { htmlResponse } from "../http/respond.ts";
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

interface PageParts {
  title: string;
  /** Paths of style sheets and scripts on this server. */
  styles: readonly string[];
  scripts: readonly string[];
  /** Scripts that the others import, at once or as their first step. */
  parts?: readonly string[];
  /** Paths whose answers the scripts fetch first. */
  answers?: readonly string[];
  body: string;
  /** Origins whose pages may frame it; none: no page may. */
  framedBy?: readonly string[];
  /** Whether its script starts a worker, from a file of this server. */
  hasWorker?: boolean;
  status?: number;
}

/** A page may load only what this server serves as a file: no inline script, no inline style. */
const policyFor = ({ framedBy = [], hasWorker = false }: PageParts): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    // The second policy names one address: that of the worker (browser/console/views/document/pdf-pages.tsx).
    ...(hasWorker ? ["trusted-types dompurify carrel-worker", "worker-src 'self'"] : ["trusted-types dompurify"]),
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(" ")}`,
  ].join("; ");

/** A page of this server as an HTML answer. `title` is plain text, `body` is HTML. */
export const pageResponse = (page: PageParts): Response => {
  const { title, styles, scripts, parts = [], answers = [], body, status = 200 } = page;
  const imported = parts.filter((path) => !scripts.includes(path));
  return htmlResponse(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
${pageIcon}
${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join("\n")}
${scripts.map((path) => `<script type="module" src="${path}"></script>`).join("\n")}
${[
  ...imported.map((path) => `<link rel="modulepreload" href="${path}">`),
  // A script's fetch takes the answer of a preload where both are made the same way, as of another origin.
  ...answers.map((path) => `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(path)}">`),
].join("\n")}
</head>
<body>
${body}
</body>
</html>
`,
    { status, headers: { "content-security-policy": policyFor(page) } },
  );
};
