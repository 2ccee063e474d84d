import type { MarkReport } from "./checked-marks.ts";

/** Numbers named in a warning; further ones are counted. */
const maxNumbersNamed = 5;

/**
 * What the receipt says of an answer's marks: which were taken out or moved, and which numbers the marked snippets do not
 * contain.
 * @param expectMarks the prompt asked for marks, so an answer without any is worth a warning
 */
export const markWarnings = (report: MarkReport, expectMarks: boolean): string[] => {
  const { dropped, unsupported, doubtful, moved, numbers, cited } = report;
  const warnings: string[] = [];
  if (dropped > 0) warnings.push(`${marks(dropped)} pointed to no snippet and ${were(dropped)} taken out.`);
  if (unsupported > 0)
    warnings.push(
      `${marks(unsupported)} pointed to a snippet that does not support the statement and ${were(unsupported)} taken out.`,
    );
  if (doubtful > 0)
    warnings.push(
      `${marks(doubtful)} may not be supported by the snippet: the snippet contains hardly a word of the statement. Check ${doubtful === 1 ? "it" : "them"}.`,
    );
  if (moved > 0) warnings.push(`${marks(moved)} ${were(moved)} moved to the snippet that supports the statement.`);
  if (numbers.length > 0) {
    const named = numbers.slice(0, maxNumbersNamed).join(", ");
    const more = numbers.length > maxNumbersNamed ? ` and ${numbers.length - maxNumbersNamed} more` : "";
    warnings.push(`Numbers in the answer that the marked snippets do not contain: ${named}${more}.`);
  }
  if (expectMarks && cited.size === 0 && dropped + unsupported === 0)
    warnings.push("The model marked no sources: check the answer against the snippets.");
  return warnings;
};

const marks = (count: number): string => (count === 1 ? "1 mark in the answer" : `${count} marks in the answer`);

const were = (count: number): string => (count === 1 ? "was" : "were");
