import type { Principal } from "../domain/records.ts";
import { ingestDocument } from "./ingest.ts";
import type { Ingested, IngestRequest } from "./request.ts";
import { ingestTexts, type NewSmallText } from "./texts.ts";
import type { IngestWork } from "./work.ts";

/** An upsert of a file that is read in a few milliseconds. */
export type SmallFileRequest = IngestRequest & { source: { kind: "file" }; name: string; externalId: string };

export type FileOutcome = Pick<Ingested, "document" | "takesFile"> | { error: unknown };

/**
 * Ingests small files. New ones become documents together, at a fraction of what each would cost alone, and searches
 * find them when it returns; one whose document exists is replaced, and one that cannot be read becomes a failed
 * document, each on its own.
 * @returns in the order of the requests; a failure of one does not affect the others
 */
export const ingestFiles = async (
  work: IngestWork,
  principal: Principal,
  requests: readonly SmallFileRequest[],
  signal: AbortSignal,
): Promise<FileOutcome[]> => {
  const texts = await Promise.all(requests.map((request) => readSmall(work, request, signal)));
  const outcomes: FileOutcome[] = [];
  await withExternalIds(work, principal, requests, async () => {
    const ids = requests.map(({ externalId }) => externalId);
    const taken = await work.store.documents.takenExternalIds(principal, ids);
    const added = [...texts.entries()].flatMap(([at, text]) =>
      text === null || taken.has(requests[at]?.externalId ?? "") ? [] : [{ at, text }],
    );
    if (added.length === 0) return;
    const ingested = await ingestTexts(
      work,
      principal,
      added.map(({ text }) => text),
      signal,
    );
    for (const [index, { at }] of added.entries()) {
      const outcome = ingested[index];
      // What failed is tried once more alone below, where its failure is written down.
      if (outcome !== undefined && "document" in outcome) outcomes[at] = { ...outcome, takesFile: true };
      else texts[at] = null;
    }
  });
  signal.throwIfAborted();
  await Promise.all(
    requests.map(async (request, at) => {
      if (outcomes[at] !== undefined) return;
      const mode = texts[at] === null ? "later" : "now";
      outcomes[at] = await ingestDocument(work, principal, request, mode, signal, "background").catch(
        (error: unknown) => ({ error }),
      );
    }),
  );
  return outcomes;
};

/** @returns null for a file that cannot be read, or whose text is not small */
const readSmall = async (
  { pipeline }: IngestWork,
  request: SmallFileRequest,
  signal: AbortSignal,
): Promise<NewSmallText | null> => {
  const read = await pipeline.read(request.source, signal).catch(() => null);
  return read === null || pipeline.sizeOf(read) !== "small" ? null : { request, name: request.name, read };
};

/** Runs work while nobody else adds a document under one of the external ids. */
const withExternalIds = async (
  { store }: IngestWork,
  principal: Principal,
  requests: readonly SmallFileRequest[],
  work: () => Promise<void>,
): Promise<void> => {
  // In one order for all callers: two of them do not wait for each other.
  const ids = [...new Set(requests.map(({ externalId }) => externalId))].sort();
  const locked = ids.reduceRight<() => Promise<void>>(
    (inner, id) => () => store.documents.withExternalId(principal, id, inner),
    work,
  );
  await locked();
};
