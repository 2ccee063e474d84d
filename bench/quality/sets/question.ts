import type { Block } from "./blocks.ts";

/** What a set asks for: a page by its heading, by that of one of its sections, or by its first sentence. */
export interface Question {
  kind: "heading" | "section" | "sentence";
  text: string;
  /** The page without the question's words in that place. */
  rest: Block[];
}

/** A question has to say something: words, or characters of a script without spaces. */
const minWords = 2;
const minSectionWords = 4;
const minDenseCharacters = 5;
const maxCharacters = 300;

const saysEnough = (text: string, words: number): boolean => {
  if (text.length > maxCharacters) return false;
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Khmer}]/gu);
  if ((dense?.length ?? 0) >= minDenseCharacters) return true;
  return (text.match(/[\p{L}\p{M}\p{N}]{2,}/gu)?.length ?? 0) >= words;
};

/**
 * Takes a question out of a page. Half of the pages are asked for by their heading, a quarter each by a section's and by
 * the first sentence, by `choice`; where one does not do, the next is tried.
 * @param unusable headings and questions of other pages, lower-case; this one's question is added
 * @returns null if the page has none that no other page has
 */
export const makeQuestion = (blocks: readonly Block[], choice: number, unusable: Set<string>): Question | null => {
  const kinds = [byHeading, bySection, bySentence, byHeading];
  for (let turn = 0; turn < 3; turn++) {
    const question = kinds[(choice + turn) % kinds.length]?.(blocks) ?? null;
    if (question === null || unusable.has(question.text.toLowerCase())) continue;
    unusable.add(question.text.toLowerCase());
    return question;
  }
  return null;
};

const without = (blocks: readonly Block[], left: Block): Block[] =>
  blocks.filter((block) => block !== left && block.text.toLowerCase() !== left.text.toLowerCase());

const sentenceStart = /(?<=[.!?。！？।។])\s*(?=\P{Ll})/u;

/** Takes the first sentence out of the last paragraph of a page whose first sentence says enough; null if there is none. */
export const takeLastSentence = (blocks: readonly Block[]): Question | null => {
  const paragraphs = blocks.filter(({ level }) => level === 0);
  for (const paragraph of paragraphs.slice(1).reverse()) {
    const question = fromParagraph(blocks, paragraph);
    if (question !== null) return question;
  }
  return null;
};

const byHeading = (blocks: readonly Block[]): Question | null => {
  const found = blocks.find(({ level }) => level === 1);
  if (found === undefined || !saysEnough(found.text, minWords)) return null;
  return { kind: "heading", text: found.text, rest: without(blocks, found) };
};

const bySection = (blocks: readonly Block[]): Question | null => {
  const found = blocks.find(({ level, text }) => level > 1 && saysEnough(text, minSectionWords));
  return found === undefined ? null : { kind: "section", text: found.text, rest: without(blocks, found) };
};

const bySentence = (blocks: readonly Block[]): Question | null => {
  const found = blocks.find(({ level }) => level === 0);
  return found === undefined ? null : fromParagraph(blocks, found);
};

/** Takes the first sentence out of a paragraph. */
const fromParagraph = (blocks: readonly Block[], found: Block): Question | null => {
  const [sentence = ""] = found.text.split(sentenceStart);
  if (!saysEnough(sentence, minSectionWords)) return null;
  const text = found.text.slice(sentence.length).trim();
  const rest = blocks.flatMap((block) => (block !== found ? [block] : text === "" ? [] : [{ ...block, text }]));
  return { kind: "sentence", text: sentence, rest };
};
