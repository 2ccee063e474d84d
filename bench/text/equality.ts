import { type Contender, contenders, type Subject } from "./contenders.ts";
import { readTexts, readVocabulary, readWordPieceCases, type TextKind } from "./texts.ts";

export interface Equality {
  compared: number;
  differing: number;
  /** The first text that differs, shortened. */
  example: string | null;
}

const allKinds: readonly TextKind[] = ["english", "german", "chinese", "code"];
const endings =
  "s 's ed edly ing ingly y li ational ization fulness iveness biliti icate ative ement ion able ll".split(" ");

/** What the results are compared over: every text of the fixtures, and every piece of a vocabulary of 30,522. */
const inputsOf = (subject: Subject): string[] => {
  const vocabulary = readVocabulary().map((piece) => piece.replace(/^##/, ""));
  if (subject === "stems")
    return [...readTexts("english"), ...vocabulary.map((word, at) => `${word} ${word}${endings[at % endings.length]}`)];
  return [...allKinds.flatMap(readTexts), ...vocabulary, ...readWordPieceCases().map(({ text }) => text)];
};

const asText = (result: unknown): string => JSON.stringify(result);

const compare = async (inputs: readonly string[], first: Contender, second: Contender): Promise<Equality> => {
  const [one, other] = [await first.load(), await second.load()];
  const differing: string[] = [];
  for (const input of inputs) if (asText(await one(input)) !== asText(await other(input))) differing.push(input);
  return { compared: inputs.length, differing: differing.length, example: differing[0]?.slice(0, 60) ?? null };
};

export const compareResults = (subject: Subject): Promise<Equality> =>
  compare(inputsOf(subject), contenders[subject].ours, contenders[subject].library);

/** Each contender's WordPiece ids against those of the original. */
export const compareWithOriginal = async (contender: Contender): Promise<Equality> => {
  const expected = new Map(readWordPieceCases().map(({ text, ids }) => [text, ids]));
  const original: Contender = { load: async () => (text) => expected.get(text), entry: "" };
  return await compare([...expected.keys()], contender, original);
};
