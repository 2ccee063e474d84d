import { createWorkUnderWay } from "../../async/in-parallel.ts";
import { CommandFailure, UsageFailure } from "../../domain/errors.ts";
import type { Environment } from "../../program/environment.ts";
import { escapeControls } from "../../text/clean-text.ts";
import { type ClientOptions, type OperatorClient, openClient, problemOf } from "../client/client.ts";
import { terminalLine } from "../output/output.ts";
import { findSources, type IngestSource, machineOf, sentFileName } from "./find-sources.ts";

/** Result of one source. */
interface PutResult {
  source: string;
  id: string | null;
  name: string | null;
  status: "processed" | "unchanged" | "skipped" | "failed";
  /** Why it was skipped or failed. */
  error: string | null;
}

interface PutOptions {
  partition?: string | undefined;
  name?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** Large files and addresses under way at once; the server works on `ingest.concurrency` of them. */
const maxConcurrent = 4;
/** So many small files count as a large one: the server commits what comes at one time together. */
const smallPerLarge = 6;
const smallBytes = 65_536;

const weightOf = (source: IngestSource): number =>
  source.kind === "missing" || (source.kind === "file" && Bun.file(source.path).size <= smallBytes) ? 1 : smallPerLarge;

/** Ingests the sources as they are found, and reports each when it is done. */
export const putDocuments = async (
  client: OperatorClient,
  sources: AsyncIterable<IngestSource>,
  options: PutOptions,
  onResult: (result: PutResult) => void,
): Promise<void> => {
  const underWay = createWorkUnderWay(maxConcurrent * smallPerLarge);
  try {
    for await (const source of sources)
      await underWay.start(weightOf(source), async () => onResult(await putDocument(client, source, options)));
  } finally {
    await underWay.settle();
  }
};

const putDocument = async (client: OperatorClient, source: IngestSource, options: PutOptions): Promise<PutResult> => {
  if (source.kind === "missing")
    return { source: source.shown, id: null, name: null, status: "failed", error: source.error };
  if (source.kind === "file" && !(await Bun.file(source.path).exists())) {
    const status = source.found ? "skipped" : "failed";
    return { source: source.shown, id: null, name: null, status, error: "It no longer exists." };
  }
  const response = await client.send("/api/ingest", { method: "POST", body: formOf(source, options) });
  if (response.ok) {
    const { id, name, unchanged } = (await response.json()) as { id: string; name: string; unchanged?: boolean };
    return { source: source.shown, id, name, status: unchanged === true ? "unchanged" : "processed", error: null };
  }
  if (response.status === 401 || response.status === 403) throw new CommandFailure(await problemOf(response));
  const isUnreadable = response.status === 415 || response.status === 422;
  const status = source.kind === "file" && source.found && isUnreadable ? "skipped" : "failed";
  return { source: source.shown, id: null, name: null, status, error: await problemOf(response) };
};

const formOf = (
  source: Exclude<IngestSource, { kind: "missing" }>,
  { partition, name, metadata }: PutOptions,
): FormData => {
  const form = new FormData();
  form.set("metadata", JSON.stringify({ externalId: source.externalId, ...metadata }));
  form.set("upsert", "true");
  if (partition !== undefined) form.set("partition", partition);
  const title = name ?? (source.kind === "file" ? source.name : undefined);
  if (title !== undefined) form.set("name", title);
  if (source.kind === "file") form.set("file", Bun.file(source.path), sentFileName(source.name));
  else form.set(source.isPage ? "websiteUrl" : "url", source.url);
  return form;
};

interface IngestOptions extends ClientOptions {
  partition?: string;
  name?: string;
  metadata?: string;
  watch?: boolean;
}

/** Files skipped for one reason that are named; of further ones the number is told: a folder of pictures has hundreds. */
const maxShownAlike = 3;

/**
 * `carrel ingest`: prints a line for each source once questions can find it; a source that was ingested before is
 * replaced. Fails where any source failed; a file in a folder that is no document is only skipped.
 */
export const ingest = async (
  sources: readonly string[],
  options: IngestOptions,
  environment: Environment,
): Promise<void> => {
  const { write, writeError, cwd } = environment;
  const line = terminalLine(environment);
  if (options.name !== undefined && sources.length > 1) throw new UsageFailure("--name is for one source alone.");
  const metadata = readMetadata(options.metadata);
  if (options.watch === true) {
    if (options.name !== undefined) throw new UsageFailure("--name is for one source, --watch for folders.");
    const { watchFolders } = await import("./watch-folders.ts");
    return await watchFolders(sources, { ...options, metadata }, environment);
  }
  const client = await openClient(options, environment);
  const results: PutResult[] = [];
  const skipped = new Map<string, number>();
  const counted = (status: PutResult["status"]) => results.filter((result) => result.status === status).length;
  try {
    const { partition, name } = options;
    await putDocuments(
      client,
      findSources(sources, { cwd, machine: machineOf(options) }),
      { partition, name, metadata },
      (result) => {
        results.push(result);
        line.clear();
        const source = escapeControls(result.source);
        const alike = result.status === "skipped" ? (skipped.get(result.error ?? "") ?? 0) + 1 : 0;
        if (alike > 0) skipped.set(result.error ?? "", alike);
        if (alike > maxShownAlike) return;
        if (result.error !== null) writeError(`${result.status}: ${source}: ${result.error}\n`);
        else if (options.json !== true) write(`${result.status}  ${result.id}  ${source}\n`);
        line.show(`${results.length} done`);
      },
    );
  } finally {
    line.clear();
    await client.close();
  }
  for (const [reason, count] of skipped)
    if (count > maxShownAlike) writeError(`skipped: ${count - maxShownAlike} more: ${reason}\n`);
  if (options.json === true) write(`${JSON.stringify(results, null, 2)}\n`);
  else
    writeError(
      `${counted("processed")} processed, ${counted("unchanged")} unchanged, ${counted("skipped")} skipped, ${counted("failed")} failed\n`,
    );
  if (counted("failed") > 0) throw new CommandFailure("Not every source could be ingested.");
  if (results.length === 0) throw new CommandFailure("There was nothing to ingest.");
};

const readMetadata = (text: string | undefined): Record<string, unknown> | undefined => {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The same error as for any other value that is no object.
  }
  throw new UsageFailure("--metadata takes a JSON object.");
};
