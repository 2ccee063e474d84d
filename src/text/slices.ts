/**
 * A text in slices of about this length, one after the other: long texts are worked on with pauses. No slice ends within a
 * surrogate pair.
 */
export function* slicesOf(text: string, length: number): Generator<string, void, void> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end++;
    yield text.slice(start, end);
    start = end;
  }
}
