import { emptyRun, runLimit, type Tokenizer } from "../wordpiece/tokenizer.ts";

/** [CLS] and [SEP] of the vocabulary, around every segment. */
const first = 101;
const last = 102;
/** The length that all-MiniLM-L6-v2 was made for, in wordpieces. */
const maxSegmentPieces = 256;

/**
 * A text's wordpieces cut into parts for the model, each with [CLS] and [SEP]; parts of one stretch are of like length.
 * None for a text without any piece. A text is read as the parts are taken, up to 8,192 pieces ahead.
 */
export function* segmentsOf(tokenizer: Tokenizer, text: string): Generator<Int32Array> {
  const run = emptyRun();
  const room = maxSegmentPieces - 2;
  for (let at = 0; at < text.length; at = run.next) {
    tokenizer.read(text, at, runLimit, run);
    // The tokenizer's own array is overwritten by the next read.
    const pieces = tokenizer.pieces.slice(0, run.count);
    const size = Math.ceil(run.count / Math.ceil(run.count / room));
    for (let start = 0; start < run.count; start += size) {
      const end = Math.min(start + size, run.count);
      const segment = new Int32Array(end - start + 2);
      segment[0] = first;
      segment.set(pieces.subarray(start, end), 1);
      segment[segment.length - 1] = last;
      yield segment;
    }
  }
}
