import { readFile } from "node:fs/promises";
import { ApiError, messageOf } from "../../domain/errors.ts";
import { createLeftOut } from "../../folders/left-out.ts";
import { walkFolder } from "../../folders/walk-folder.ts";
import { createFetcher } from "../../ingest/fetch/fetcher.ts";
import { createPageFetcher, type PageFetcher } from "../../sites/page-fetcher.ts";
import { createSiteHeaders } from "../../sites/site-settings.ts";
import { type Check, type DoctorContext, failed, fine, type Told, warning } from "./finding.ts";

/** A large folder on a slow disk is looked at so long: what was found until then is told. */
const maxLookMs = 15_000;

/** Looks through the followed folders as the server does. */
export const foldersCheck: Check = {
  name: "folders",
  isQuick: false,
  async run({ config, signal }) {
    const found = await Promise.all(config.folders.map((folder) => lookAtFolder(folder, config.scan.maxFiles, signal)));
    const subfolders = found.reduce((sum, look) => sum + (look.isWatched ? look.subfolders : 0), 0);
    return [...found.flatMap(({ findings }) => findings), ...watchFindings(subfolders, await maxWatches())];
  },
};

interface Look {
  findings: Told[];
  subfolders: number;
  isWatched: boolean;
}

const lookAtFolder = async (
  { path, watch, exclude }: DoctorContext["config"]["folders"][number],
  maxFiles: number,
  signal: AbortSignal,
): Promise<Look> => {
  const until = performance.now() + maxLookMs;
  let subfolders = 0;
  let files = 0;
  let isWhole = true;
  const unreadable: string[] = [];
  const unnameable: string[] = [];
  const onFolder = () => {
    subfolders += 1;
  };
  for await (const entry of walkFolder(path, { isLeftOut: createLeftOut(exclude), onFolder })) {
    signal.throwIfAborted();
    if (entry.kind === "file") files += 1;
    if (entry.kind === "file" && entry.path.includes("\uFFFD")) unnameable.push(entry.path);
    if (entry.kind === "unnameable") unnameable.push(entry.path);
    if (entry.kind === "unreadable") {
      if (entry.path === "") return { findings: [missing(path, entry.code)], subfolders, isWatched: false };
      if (entry.code !== "ENOENT") unreadable.push(entry.path);
    }
    isWhole = performance.now() < until && files <= maxFiles;
    if (!isWhole) break;
  }
  const findings: Told[] = [];
  if (unreadable.length > 0)
    findings.push(
      warning(
        `${unreadable.length} of the folders in ${path} cannot be read by this user, the first is ${JSON.stringify(unreadable[0])}.`,
        "Let the user that Carrel runs as read them, or leave them out by folders[].exclude.",
      ),
    );
  if (unnameable.length > 0)
    findings.push(
      warning(
        `${unnameable.length} names in ${path} are not UTF-8, the first is ${JSON.stringify(unnameable[0])}: such files are not read.`,
        "Rename them, for instance with convmv.",
      ),
    );
  if (files > maxFiles)
    findings.push(
      warning(
        `${path} holds more than ${maxFiles} files: the rest is left out, and nothing is deleted.`,
        "Raise scan.maxFiles, or leave some out by folders[].exclude.",
      ),
    );
  const count = `${isWhole ? "" : "at least "}${files} files`;
  if (findings.length === 0) findings.push(fine(`${path} can be read: ${count}.`));
  return { findings, subfolders, isWatched: watch };
};

const missing = (path: string, code: string): Told => {
  if (code === "ENOENT")
    return failed(
      `The followed folder ${path} does not exist.`,
      "Make or mount it, or correct folders[].path. Its documents are kept meanwhile.",
    );
  return code === "ENOTDIR"
    ? failed(`${path} is followed, and is no folder.`, "Set folders[].path to a folder.")
    : failed(
        `The followed folder ${path} cannot be read by this user (${code}).`,
        "Let the user that Carrel runs as read it. Its documents are kept meanwhile.",
      );
};

/** The most folders that one user may watch; null where the system has no such limit. */
const maxWatches = async (): Promise<number | null> => {
  const text = await readFile("/proc/sys/fs/inotify/max_user_watches", "utf8").catch(() => null);
  return text === null ? null : Number(text);
};

/** Each folder and each folder in it takes a watch. */
export const watchFindings = (folders: number, limit: number | null): Told[] =>
  limit === null || folders <= limit
    ? []
    : [
        warning(
          `The followed folders have ${folders} folders in them, and this user may watch ${limit}: changes there are found by the regular scan alone.`,
          `Run: sysctl fs.inotify.max_user_watches=${2 ** Math.ceil(Math.log2(folders * 2))}`,
        ),
      ];

/** For one site: a crawl waits longer. */
const maxMs = 10_000;
const maxBytes = 10_000_000;

/** Fetches the first page of each followed site, as a crawl does. */
export const sitesCheck: Check = {
  name: "sites",
  isQuick: false,
  async run({ config, signal }) {
    const { allowPrivateAddresses } = config.fetch;
    const fetchUrl = createFetcher({ allowPrivateAddresses, maxBytes, timeoutMs: maxMs });
    const fetcher = createPageFetcher({ fetchUrl, pauseMs: 1 });
    return await Promise.all(config.sites.map((site) => siteFinding(fetcher, site, signal)));
  },
};

const siteFinding = async (
  fetcher: PageFetcher,
  { url, headers }: DoctorContext["config"]["sites"][number],
  signal: AbortSignal,
): Promise<Told> => {
  const { origin, pathname } = new URL(url);
  // What comes after the path may be a secret.
  const shown = `${origin}${pathname}`;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
  try {
    await fetcher.fetchPage(url, { signal: limit, headersFor: createSiteHeaders(url, headers) });
    return fine(`${shown} can be fetched.`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.code === "address_refused")
      return failed(
        `The site ${shown} is at an address of this machine or of a private network, which may not be fetched.`,
        "Set fetch.allowPrivateAddresses (CARREL_FETCH_ALLOW_PRIVATE_ADDRESSES) to true.",
      );
    const reason = limit.aborted ? `it did not answer within ${maxMs / 1_000} s` : messageOf(error);
    return failed(
      `The site ${shown} cannot be crawled: ${reason}`,
      "Correct sites[].url, let this machine reach the site, or set sites[].headers where it asks who it is. Its documents are kept meanwhile.",
    );
  }
};
