/** A line of the body with its number, from 1; `text` is null where it is longer than may be. */
export interface BatchLine {
  line: number;
  text: string | null;
}

const NEWLINE = 10;

/**
 * The lines of a body as they arrive, those that came whole at one time together, blank ones left out. The rest of one
 * that is too long is passed over unread.
 * @throws whatever the body fails with; TypeError for a line that is not UTF-8 is avoided: it becomes U+FFFD
 */
export async function* batchLines(
  body: ReadableStream<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<BatchLine[], void, undefined> {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let held = 0;
  let tooLong = false;
  let line = 1;

  const keep = (part: Uint8Array): void => {
    held += part.length;
    if (held <= maxLineBytes) parts.push(part);
    else {
      tooLong = true;
      parts = [];
    }
  };
  const finish = (): BatchLine | null => {
    const [only] = parts;
    const bytes = only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
    const text = tooLong ? null : decoder.decode(bytes).trim();
    const finished = { line, text };
    parts = [];
    held = 0;
    tooLong = false;
    line += 1;
    return text === "" ? null : finished;
  };

  for await (const chunk of body) {
    const lines: BatchLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      const finished = finish();
      if (finished !== null) lines.push(finished);
    }
    // A copy: the runtime may reuse the memory of a chunk.
    if (start < chunk.length) keep(chunk.slice(start));
    if (lines.length > 0) yield lines;
  }
  const last = held > 0 ? finish() : null;
  if (last !== null) yield [last];
}
