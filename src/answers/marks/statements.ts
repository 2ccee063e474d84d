import { endOfSentence } from "../../text/sentences.ts";

/** Longest text in which a statement is looked for: the end of the line before the mark. */
export const maxLineCharacters = 600;

export const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * What a group of marks may belong to, the likeliest first.
 * @param groupAt offset of the group before in the line
 */
export const statementsBefore = (
  line: string,
  groupAt: number,
  lineBefore: string,
): { statements: string[]; start: number } => {
  const skipped = Math.max(0, line.length - maxLineCharacters);
  const end = line.slice(skipped);
  // Marks before the first word of a line belong to the line before, or to what follows.
  if (!hasWord(end)) return { statements: lineBefore === "" ? [] : [lineBefore], start: line.length };
  const from = Math.max(0, groupAt - skipped);
  const sentenceStart = startOfLastSentence(end);
  const start = hasWord(end.slice(from)) ? Math.max(from, sentenceStart) : sentenceStart;
  const statements = [end.slice(start), end.slice(Math.min(from, start))];
  return { statements: [...new Set(statements)], start: skipped + start };
};

const startOfLastSentence = (text: string): number => {
  for (let start = 0; ; ) {
    const end = endOfSentence(text, start, text.length);
    if (!hasWord(text.slice(end))) return start;
    start = end;
  }
};
