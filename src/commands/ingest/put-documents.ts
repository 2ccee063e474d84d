import { createWorkUnderWay } from "../../async/in-parallel.ts";
import { CommandFailure } from "../../domain/errors.ts";
import { type OperatorClient, problemOf } from "../client/client.ts";
import { type IngestSource, sentFileName } from "./find-sources.ts";

/** Result of one source. */
export interface PutResult {
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
