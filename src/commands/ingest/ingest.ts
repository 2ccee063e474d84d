import { CommandFailure, UsageFailure } from "../../domain/errors.ts";
import type { Environment } from "../../program/environment.ts";
import { escapeControls } from "../../text/clean-text.ts";
import { type ClientOptions, openClient } from "../client/client.ts";
import { terminalLine } from "../output/output.ts";
import { findSources, machineOf } from "./find-sources.ts";
import { type PutResult, putDocuments } from "./put-documents.ts";

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
