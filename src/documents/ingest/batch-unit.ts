import type { Principal } from "../../domain/principal.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import { parseJson } from "../../http/body/parse-json.ts";
import { problemDocument } from "../../http/problem.ts";
import { ownScope } from "../../http/schema/own-scope.ts";
import { createValidator } from "../../http/schema/validate.ts";
import type { Logger } from "../../log.ts";
import { toApiError } from "../../models/api-error.ts";
import { ingestBody } from "../schema.ts";
import type { BatchLine } from "./batch-lines.ts";
import { ingestDocument } from "./ingest.ts";
import { type IngestRequest, readIngestRequest } from "./ingest-request.ts";
import { ingestTexts, isQuickText, type QuickText } from "./ingest-texts.ts";
import type { IngestWork } from "./ingest-work.ts";

/** Lines handled as one: some 5 ms of analysis for small ones, which is how long others wait. */
const MOST_LINES = 32;
const MOST_CHARACTERS = 32_768;

/** Lines that are stored together and answered together. */
export interface BatchUnit {
  lines: BatchLine[];
  characters: number;
}

export const unitsOf = (lines: readonly BatchLine[]): BatchUnit[] => {
  const units: BatchUnit[] = [];
  for (const line of lines) {
    const characters = line.text?.length ?? 0;
    const last = units.at(-1);
    if (last === undefined || last.lines.length === MOST_LINES || last.characters + characters > MOST_CHARACTERS) {
      units.push({ lines: [line], characters });
    } else {
      last.lines.push(line);
      last.characters += characters;
    }
  }
  return units;
};

/** Who sent the lines, and what a problem with one of them is told with. */
export interface UnitCall {
  principal: Principal;
  requestId: string;
  /** Of the request, for problem documents. */
  path: string;
  log: Logger;
}

const validate = createValidator(ingestBody);

const readLine = (principal: Principal, { text, refusal }: BatchLine): IngestRequest => {
  if (text === null) throw refusal ?? new Error("a line without text or reason");
  return readIngestRequest(validate(ownScope(ingestBody, principal, parseJson(text))), null);
};

/** @returns for each line its answer, in their order */
export const storeUnit = async (
  work: IngestWork,
  { principal, requestId, path, log }: UnitCall,
  lines: readonly BatchLine[],
  signal: AbortSignal,
): Promise<object[]> => {
  const answers: object[] = [];
  const answer = (at: number, content: object): void => {
    answers[at] = { line: lines[at]?.line, ...content };
  };
  const stored = (at: number, { id, status }: DocumentRecord, unchanged = false): void =>
    answer(at, unchanged ? { id, status, unchanged } : { id, status: "pending" });
  const refused = (at: number, error: unknown): void => {
    const { code, reason } = toApiError(error);
    const { line } = lines[at] ?? {};
    if (reason !== null) log.warn({ requestId, line, code, detail: reason }, "a line of a batch failed");
    answer(at, { error: problemDocument(error, requestId, path, principal) });
  };
  const ingestAlone = async (at: number, request: IngestRequest): Promise<void> => {
    const { source } = request;
    // A small text is written once, with all that makes it found, sooner than it could be put aside for later.
    const mode = source.kind === "text" && work.ingest.pipeline.isQuick(source) ? "bulk" : "later";
    try {
      const { document, unchanged } = await ingestDocument(work, principal, request, mode, signal);
      stored(at, document, unchanged);
    } catch (error) {
      refused(at, error);
    }
  };

  const quick: { at: number; request: QuickText }[] = [];
  const alone: Promise<void>[] = [];
  for (const [at, line] of lines.entries()) {
    try {
      const request = readLine(principal, line);
      if (isQuickText(work, request)) quick.push({ at, request });
      else alone.push(ingestAlone(at, request));
    } catch (error) {
      refused(at, error);
    }
  }
  const requests = quick.map(({ request }) => request);
  const outcomes = quick.length === 0 ? [] : await ingestTexts(work, principal, requests, signal);
  for (const [index, { at }] of quick.entries()) {
    const outcome = outcomes[index];
    if (outcome !== undefined && "document" in outcome) stored(at, outcome.document);
    else refused(at, outcome?.error);
  }
  await Promise.all(alone);
  return answers;
};
