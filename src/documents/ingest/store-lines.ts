import type { Principal } from "../../domain/principal.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import type { BatchLine } from "./batch-lines.ts";
import { ingestDocument } from "./ingest.ts";
import type { IngestRequest } from "./ingest-request.ts";
import { ingestTexts, type NewSmallText, newSmallText } from "./ingest-texts.ts";
import type { IngestWork } from "./ingest-work.ts";

/** The result for one line of a batch; `line` is null for a failure of the whole body. */
export type LineOutcome =
  | { line: number; document: Pick<DocumentRecord, "id" | "status">; unchanged: boolean }
  | { line: number | null; error: unknown };

export interface LineCaller {
  principal: Principal;
  /** Reads the text of a line. @throws ApiError where it is not a valid request */
  readRequest(text: string): IngestRequest;
  signal: AbortSignal;
}

/** Ingests lines: new small texts together, the others each on its own. @returns in the order of the lines */
export const storeLines = async (
  work: IngestWork,
  { principal, readRequest, signal }: LineCaller,
  lines: readonly BatchLine[],
): Promise<LineOutcome[]> => {
  const outcomes: LineOutcome[] = [];
  const ingestAlone = async (at: number, line: number, request: IngestRequest): Promise<void> => {
    const { source } = request;
    // A small text is written once, with its snippets: that takes less than storing it for later.
    const mode = source.kind === "text" && work.pipeline.sizeOf(source) === "small" ? "now" : "later";
    try {
      const { document, unchanged } = await ingestDocument(work, principal, request, mode, signal, "background");
      outcomes[at] = { line, document, unchanged };
    } catch (error) {
      outcomes[at] = { line, error };
    }
  };

  const small: { at: number; line: number; text: NewSmallText }[] = [];
  const alone: Promise<void>[] = [];
  for (const [at, { line, text, refusal }] of lines.entries()) {
    try {
      if (text === null) throw refusal ?? new Error("a line without text or reason");
      const request = readRequest(text);
      const newText = newSmallText(work, request);
      if (newText !== null) small.push({ at, line, text: newText });
      else alone.push(ingestAlone(at, line, request));
    } catch (error) {
      outcomes[at] = { line, error };
    }
  }
  const texts = small.map(({ text }) => text);
  const ingested = texts.length === 0 ? [] : await ingestTexts(work, principal, texts, signal);
  for (const [index, { at, line }] of small.entries()) {
    const result = ingested[index] ?? { error: new Error("a text without a result") };
    outcomes[at] = "document" in result ? { line, document: result.document, unchanged: false } : { line, ...result };
  }
  await Promise.all(alone);
  return outcomes;
};
