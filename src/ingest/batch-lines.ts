import type { Held } from "../async/in-flight.ts";
import { createYielder } from "../async/yield.ts";
import { ApiError } from "../domain/errors.ts";

/** A line of the body with its number, from 1; `text` is null for a line that was not read. */
export interface BatchLine {
  line: number;
  text: string | null;
  /** Why the line was not read. */
  refusal: ApiError | null;
  /** Counted in `held` until the consumer of the line drops them. */
  bytes: number;
}

export interface LineLimits {
  maxLineBytes: number;
  held: Pick<Held, "add" | "drop">;
}

const [newline, space, tab, carriageReturn] = [10, 32, 9, 13];
/** Lines that are read in one go, blank ones too: a chunk may hold a hundred thousand. */
const maxLinesTogether = 1_024;

/**
 * The lines of a body as they arrive, without blank ones; lines that are complete at one time are yielded together, a
 * thousand at most, or none where as many were blank. Others have their turn in between. A line that is too long, or for
 * which there is no room in memory, is skipped. Bytes that are not UTF-8 become U+FFFD.
 * @throws whatever the body fails with
 */
export async function* batchLines(
  body: AsyncIterable<Uint8Array>,
  { maxLineBytes, held }: LineLimits,
): AsyncGenerator<BatchLine[], void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let refusal: ApiError | null = null;
  let line = 1;
  const yieldTurn = createYielder();

  const giveUp = (reason: ApiError): void => {
    held.drop(bytes);
    refusal = reason;
    parts = [];
    bytes = 0;
  };
  const keep = (part: Uint8Array): void => {
    if (refusal !== null) return;
    try {
      if (bytes + part.length > maxLineBytes) throw lineTooLong(maxLineBytes);
      held.add(part.length);
      bytes += part.length;
      parts.push(part);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      giveUp(error);
    }
  };
  const finish = (): BatchLine | null => {
    const [only] = parts;
    const whole = only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
    let text: string | null = null;
    try {
      if (refusal === null) text = decoder.decode(whole).trim();
    } catch (error) {
      giveUp(new ApiError("malformed_body", "The line is not valid UTF-8.", { cause: error }));
    }
    const finished = { line, text, refusal, bytes };
    parts = [];
    bytes = 0;
    refusal = null;
    line += 1;
    if (text !== "") return finished;
    held.drop(finished.bytes);
    return null;
  };

  for await (const chunk of body) {
    let lines: BatchLine[] = [];
    let rest = chunk;
    let start = 0;
    let read = 0;
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline, start)) {
      if (bytes > 0 || end - start > maxLineBytes || !isBlank(rest, start, end)) keep(rest.subarray(start, end));
      start = end + 1;
      if (bytes === 0 && refusal === null) line += 1;
      else {
        const finished = finish();
        if (finished !== null) lines.push(finished);
      }
      read += 1;
      if (read % maxLinesTogether !== 0) continue;
      // A copy: the runtime may reuse the memory of a chunk.
      if (rest === chunk) {
        rest = chunk.slice(start);
        start = 0;
      }
      yield lines;
      lines = [];
      await yieldTurn();
    }
    if (start < rest.length) keep(rest.slice(start));
    if (lines.length > 0) yield lines;
  }
  const last = bytes > 0 || refusal !== null ? finish() : null;
  if (last !== null) yield [last];
}

/** Whether there is nothing but spaces, tabs and carriage returns: told from the bytes, as a body may hold millions of such lines. */
const isBlank = (piece: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at += 1) {
    const byte = piece[at];
    if (byte !== space && byte !== tab && byte !== carriageReturn) return false;
  }
  return true;
};

const lineTooLong = (maxLineBytes: number): ApiError =>
  new ApiError(
    "document_too_large",
    `The line is longer than ${maxLineBytes} bytes, the limit (server.maxBodyBytes). Send a long document as a file to /api/ingest.`,
  );
