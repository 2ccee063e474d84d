import { createNotifier, type Notifier } from "../async/waiting.ts";
import { createYielder } from "../async/yield.ts";
import { ApiError } from "../domain/errors.ts";
import type { DocumentRecord, Principal } from "../domain/records.ts";
import { type BatchLine, batchLines, type LineLimits } from "./batch-lines.ts";
import { ingestDocument } from "./ingest.ts";
import type { IngestRequest } from "./request.ts";
import { ingestTexts, type NewSmallText, newSmallText } from "./texts.ts";
import type { IngestWork } from "./work.ts";

/** Lines stored together: small ones take some 5 ms of analysis, which is how long others wait. */
const maxLines = 32;
const maxCharacters = 32_768;

/** Lines that are stored together and answered together. */
interface BatchUnit {
  lines: BatchLine[];
  characters: number;
}

export const unitsOf = (lines: readonly BatchLine[]): BatchUnit[] => {
  const units: BatchUnit[] = [];
  for (const line of lines) {
    const characters = line.text?.length ?? 0;
    const last = units.at(-1);
    if (last === undefined || last.lines.length === maxLines || last.characters + characters > maxCharacters) {
      units.push({ lines: [line], characters });
    } else {
      last.lines.push(line);
      last.characters += characters;
    }
  }
  return units;
};

/** The result for one line of a batch; `line` is null for a failure of the whole body. */
export type LineOutcome =
  | { line: number; document: Pick<DocumentRecord, "id" | "status">; unchanged: boolean }
  | { line: number | null; error: unknown };

interface LineCaller {
  principal: Principal;
  /** Reads the text of a line. @throws ApiError where it is not a valid request */
  readRequest(text: string): IngestRequest;
  signal: AbortSignal;
}

/** Ingests lines: new small texts together, the others each on its own. @returns in the order of the lines */
const storeLines = async (
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

/** Lines under way at once: the next ones are analyzed while the store commits a group or runs its maintenance. */
const maxLinesUnderWay = 2_048;
/** Text of the lines under way at once; an analyzed character takes some ten bytes. */
const maxCharactersUnderWay = 8 * 1024 * 1024;
/** Answers kept for a client that sends its whole body before it reads; beyond that the body is not read on. */
const maxUnreadAnswers = 200_000;
/** Answers that are yielded together at most: a client that reads late gets many in several pieces. */
const maxAnswersTogether = 1_024;

interface BatchCall<Answer> extends LineCaller, LineLimits {
  body: AsyncIterable<Uint8Array>;
  /** What is kept of an outcome until the client reads it; called once for each, in their order. */
  toAnswer(outcome: LineOutcome): Answer;
}

/**
 * Ingests each line of the body as a document while the body still arrives; small texts are found when they are stored.
 * Yields the answers in the order of the lines, as soon as a line and those before it are stored or refused. Ends early
 * where the signal fires.
 * @throws ApiError body_too_slow, malformed_body where the body breaks off before its first line is answered; later, that
 *   is the last answer
 */
export async function* ingestBatch<Answer>(
  work: IngestWork,
  call: BatchCall<Answer>,
): AsyncGenerator<Answer[], void, undefined> {
  const { signal } = call;
  const answersCame = createNotifier();
  const room = createNotifier();
  let answers: Answer[] = [];
  let isEnded = false;
  let brokenAtOnce: unknown = null;
  let isAnswered = false;
  const answer = (outcome: LineOutcome): void => {
    if (outcome.line === null && !isAnswered && "error" in outcome) {
      brokenAtOnce = outcome.error;
      return;
    }
    isAnswered = true;
    answers.push(call.toAnswer(outcome));
    answersCame.notify();
  };
  void storeBody(work, call, { answer, hasRoom: () => answers.length < maxUnreadAnswers, room })
    .catch((error: unknown) => answer({ line: null, error }))
    .finally(() => {
      isEnded = true;
      answersCame.notify();
    });
  for (;;) {
    while (answers.length === 0 && !isEnded && !signal.aborted) await answersCame.next(answersCame.count, signal);
    if (brokenAtOnce !== null) throw brokenAtOnce;
    if (answers.length === 0) return;
    const ready = answers;
    answers = [];
    room.notify();
    for (let start = 0; start < ready.length; start += maxAnswersTogether)
      yield ready.slice(start, start + maxAnswersTogether);
  }
}

/** What the loop that stores lines shares with the one that yields answers. */
interface Answers {
  answer(outcome: LineOutcome): void;
  /** Whether more answers may be kept. */
  hasRoom(): boolean;
  /** Notifies when there may be room for further lines. */
  room: Notifier;
}

const storeBody = async <Answer>(
  work: IngestWork,
  call: BatchCall<Answer>,
  { answer, hasRoom, room }: Answers,
): Promise<void> => {
  const { signal } = call;
  // Lines that are blank or refused are stored nowhere: nothing else would let other work go first.
  const yieldTurn = createYielder(signal);
  const underWay = new Set<Promise<void>>();
  let lines = 0;
  let characters = 0;
  /** Resolves when the answers so far are given, which keeps the order of the lines. */
  let answered = Promise.resolve();
  const mayGoOn = () =>
    lines < maxLinesUnderWay && (characters < maxCharactersUnderWay || underWay.size === 0) && hasRoom();
  const begin = (unit: BatchUnit): void => {
    lines += unit.lines.length;
    characters += unit.characters;
    const stored = Promise.all([storeLines(work, call, unit.lines), answered])
      .then(([outcomes]) => outcomes.forEach(answer))
      .finally(() => {
        underWay.delete(stored);
        lines -= unit.lines.length;
        characters -= unit.characters;
        for (const { bytes } of unit.lines) call.held.drop(bytes);
        room.notify();
      });
    answered = stored;
    underWay.add(stored);
  };
  try {
    for await (const read of batchLines(call.body, call)) {
      await yieldTurn();
      for (const unit of unitsOf(read)) {
        signal.throwIfAborted();
        begin(unit);
        await yieldTurn();
        while (!mayGoOn() && !signal.aborted) await room.next(room.count, signal);
      }
    }
  } catch (error) {
    // The body broke off; the lines read before are stored.
    await Promise.all(underWay);
    if (!signal.aborted) answer({ line: null, error: brokenBody(error) });
  }
  await Promise.all(underWay);
};

const brokenBody = (error: unknown): ApiError =>
  error instanceof ApiError
    ? error
    : new ApiError("malformed_body", "The body broke off. The lines answered so far are stored.", { cause: error });
