import type { FoundSnippet } from "../../retrieval/contract.ts";
import { dateOf } from "../../text/dates.ts";
import { endsWithStop } from "../../text/sentences.ts";
import { cellsOf } from "./cells.ts";
import { type Passage, passagesOf } from "./passages.ts";
import { readable } from "./readable.ts";

/** Lines of an overview where the ask names no number, and the shortest sentence that says something. */
const usualLines = 12;
const minCharacters = 12;

/** The passages that stand under one heading of a snippet. */
interface Part {
  snippet: number;
  heading: string | null;
  passages: Passage[];
}

/**
 * An overview without a model: what stands first under each heading, with its mark. Where there are few headings, more of
 * what stands under each.
 * @param names of the documents, where the snippets are the beginnings of several: they stand in place of headings
 * @param maxLines fewer than usual: whole sentences come before lines that are none
 */
export const quoteOverview = (
  snippets: readonly FoundSnippet[],
  names: ReadonlyMap<string, string> | null,
  maxLines: number = usualLines,
): string => {
  const all = snippets.flatMap((snippet, index) => partsOf(snippet, index, names?.get(snippet.documentId) ?? null));
  const parts = maxLines < usualLines ? ofSentences(all) : all;
  const told = parts.length > maxLines ? evenly(parts, maxLines) : parts;
  const each = names === null ? Math.max(1, Math.floor(maxLines / Math.max(1, told.length))) : 1;
  const title = names === null ? titleOf(snippets[0]) : null;
  const lines = told.flatMap(({ snippet, heading, passages }) =>
    passages.slice(0, each).map((passage, at) => {
      const text =
        passage.kind === "row"
          ? cellsOf(passage.text).map(readable).join(", ")
          : readable(passage.text).replace(/^[-*+•] /, "");
      // The title stands above all.
      const isTold = heading === null || heading === text || readable(heading) === title;
      return `${at === 0 && !isTold ? `${heading}: ` : ""}${text} [${snippet + 1}]`;
    }),
  );
  const listed = lines.length > 1 ? lines.map((line) => `- ${line}`) : lines;
  return (title === null || maxLines === 1 ? listed : [`${title} [1]`, "", ...listed]).join("\n");
};

/** The title that a document begins with. */
const titleOf = (first: FoundSnippet | undefined): string | null => {
  const [heading] = first === undefined || first.position > 0 ? [] : first.headings;
  return heading === undefined ? null : readable(heading);
};

const partsOf = (snippet: FoundSnippet, index: number, name: string | null): Part[] => {
  const parts: Part[] = [];
  for (const passage of passagesOf(snippet.text)) {
    if (passage.kind === "heading" || passage.text.length < minCharacters || isOfLetterhead(passage)) continue;
    const heading = name ?? passage.headings.at(-1) ?? snippet.headings.at(-1) ?? null;
    const last = parts.at(-1);
    if (last?.heading === heading) last.passages.push(passage);
    else parts.push({ snippet: index, heading, passages: [passage] });
  }
  // The heads of tables say what they are about, their rows do not.
  return parts.map((part) => ({ ...part, passages: tellingFirst(part.passages) }));
};

/** A date, "Dear parents," and "Kind regards," say nothing of what a letter is about. */
const isOfLetterhead = ({ kind, text }: Passage): boolean =>
  kind === "sentence" && (dateOf(text) !== null || /^[^.!?]{1,60}[,，]$/u.test(text));

/** The whole sentences of parts; all of them where there is none. */
const ofSentences = (parts: readonly Part[]): readonly Part[] => {
  const isSentence = ({ kind, text }: Passage): boolean => kind === "sentence" && endsWithStop(text, text.length);
  const told = parts.map((part) => ({ ...part, passages: part.passages.filter(isSentence) }));
  const whole = told.filter(({ passages }) => passages.length > 0);
  return whole.length > 0 ? whole : parts;
};

const tellingFirst = (passages: readonly Passage[]): Passage[] => {
  const told = passages.filter(({ kind, isAsking }) => kind !== "row" && !isAsking);
  return told.length > 0 ? told : passages.slice(0, 1);
};

const evenly = <Item>(items: readonly Item[], count: number): Item[] =>
  Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)] as Item);
