import { LRUCache } from "lru-cache";
import { mapInSlices } from "../../async/yield.ts";
import { withNameForms } from "../../retrieval/scores/document-names.ts";
import { analyze, analyzeQuery, formsByWord } from "../../text/analysis/analyze.ts";
import { inverseDocumentFrequency } from "../../text/bm25.ts";
import { datesIn } from "../../text/dates.ts";
import { isUnspaced } from "../../text/language/fold.ts";
import { type Measure, measuresOf } from "../../text/measures.ts";
import { endsWithStop } from "../../text/sentences.ts";
import { termShare } from "../../text/words/word-frequency.ts";
import {
  answerTypesOf,
  hasAnswerOf,
  namesAsWritten,
  namesIn,
  ofWhat,
  thingAsked,
  wordsDemanded,
  wordsOfType,
} from "../reading/answer-type.ts";

/** What a passage is scored by. */
export interface ScoredText {
  text: string;
  /** Index of its snippet; the passages of a snippet follow each other in reading order. */
  snippet: number;
  /** A sentence of a paragraph: not a list item, table row or heading. */
  isProse: boolean;
  /** One of several sentences under a line that says what they are, where all are asked for. */
  isOfList?: boolean;
  /** What it stands under: headings, the question it follows, the head of its table. */
  under: string;
  /** The name of its document. */
  title?: string;
  /** Identifies its document. */
  document?: string;
}

/** How a passage answers a question. */
export interface PassageScore {
  /** About 0 to 1.5: how likely it is the answer, among the passages. */
  score: number;
  /**
   * The part of the question's words, by rarity, that the passage and what it stands under have: 0 to 1. Words that only name
   * the document, as all of its passages do, count neither way.
   */
  support: number;
  /** Whether it has the kind of thing that is asked for (an amount, a time, a name); true where none is. */
  hasAnswer: boolean;
  /** Whether it has a word of the question itself: what it stands under or beside may have the others. */
  hasOwn: boolean;
  /** Whether it speaks of what is asked: it has more of the question than names, and the thing that is to be told. */
  isOfThing: boolean;
  /** Whether it has a thing that the question names by what it is: a phone number, an address of mail. */
  isNamedKind: boolean;
  /** Whether it has a date and all words of a question that asks when: as a heading does, "Wedding of Mara, 12 September". */
  isDate: boolean;
  /** The heading that has it in its place: the date over an entry. */
  dated: string | null;
}

/** Of a passage of which nothing is known. */
export const unscored: PassageScore = {
  score: 0,
  support: 0,
  hasAnswer: false,
  hasOwn: false,
  isOfThing: false,
  isNamedKind: false,
  isDate: false,
  dated: null,
};

/** Added for the kind of thing that the question asks for: a number, an amount, a time, a name. */
const numberWeight = 0.2;
/** Added for an item of a list whose heading or first line is asked for: "the action items" under "Actions". */
const headWeight = 0.3;
/** Weights of a question word that only the sentence before or after contains. */
const beforeWeight = 0.4;
const afterWeight = 0.2;
/**
 * Weight of a question word that only what the passage stands under contains. A contract that names its parties in its title
 * alone states a fee that is theirs; with less weight, a sentence with their names comes before the one with the fee.
 */
const underWeight = 0.7;
/** Weight of a question word of which the sentence contains only a related word: a compound, another ending. */
const relatedWeight = 0.35;
/** Weight of nearness in meaning: of other words for the same, nothing else tells. */
const nearnessWeight = 0.5;
/** Weight of a question word for something that is measured ("how heavy") where the sentence has its label or unit. */
const measureWeight = 0.8;
/** Weight of a word that only earlier turns contain: it is about the topic, not about what is asked now. */
const earlierWeight = 0.1;
/** Related words begin with this many equal letters, and share this part of the shorter word. */
const minSharedLetters = 5;
const minSharedPart = 0.6;

/** What the words of a passage count that has names of the question, and nothing that is asked of them. */
const namesShare = 0.5;

/** "How long" and "how high" are asked of all kinds of things: of a stay, of a deposit. */
const ofManyThings: ReadonlySet<Measure> = new Set(["length", "duration", "height", "price", "distance"]);

/** A word of the question and the passages that contain it. */
interface Word {
  forms: readonly string[];
  /** Rarity among the passages, times the word's weight. */
  idf: number;
  /** For each passage, whether it contains the word. */
  held: readonly boolean[];
  /** For each passage, whether what it stands under contains the word. */
  heldAbove: readonly boolean[];
  /** For each passage, whether the name of its document does, or most of what was found in it. */
  heldByTitle: readonly boolean[];
  /** How much it says, by how rare it is in its language. */
  content: number;
  measures: readonly Measure[];
  /** Only earlier turns contain it. */
  isEarlier: boolean;
}

/**
 * How likely each passage answers the question. Each word of the question counts by its rarity: 1 if the passage contains
 * it, less if only what it stands under does (a heading, the head of a table) or a sentence beside it (an answer says "he"
 * where the sentence before has the name), or if the passage contains only a related word. A number counts if one is asked
 * for. (The weights but that of what it stands under were fitted on questions in German, Spanish, Russian and Chinese;
 * leaving one language out gives about the same figures for it.) Other work has its turn meanwhile: a question of 8,000
 * characters has thousands of words.
 * @param understood the question with what it adds from earlier turns
 * @param nearness of each passage in meaning, 0 to 1; left out where no model tells
 * @returns in the order of the passages
 */
export const scoresOfPassages = async (
  question: string,
  passages: readonly ScoredText[],
  understood: string = question,
  nearness: readonly number[] = [],
): Promise<PassageScore[]> => {
  const terms = await mapInSlices(passages, ({ text }) => new Set(analyze(text)));
  const above = await termsOf(passages, ({ under }) => under);
  const titles = await termsOf(passages, ({ title }) => title ?? "");
  const ofWords = await wordsOf(question, understood, terms, above, titles);
  const words = withSubjects(ofWords, passages, new Set(analyze(ofWhat(question))));
  const rarity = (counted: readonly Word[]): number => counted.reduce((sum, { idf }) => sum + idf, 0);
  const content = (counted: readonly Word[]): number => counted.reduce((sum, word) => sum + word.content, 0);
  const ofHeld = rarity(words.filter(({ held, heldAbove }) => held.includes(true) || heldAbove.includes(true))) || 1;
  const ofAll = rarity(words) || 1;
  const types = answerTypesOf(question);
  const asked = words.filter(({ isEarlier }) => !isEarlier);
  const named = types.map((type) => ({ type, terms: new Set(analyze(wordsOfType(type, question))) }));
  const forms = new Set(asked.flatMap((word) => word.forms));
  const heads = new Map<string, boolean>();
  /** Whether the question has all words of what a passage stands under. */
  const isNamed = (over: string): boolean => {
    const known = heads.get(over);
    if (known !== undefined) return known;
    const named = over.split("\n").some((line) => {
      const { words: own, isOfFunctionWords } = formsOfWords(line);
      return !isOfFunctionWords && own.every((each) => each.some((form) => forms.has(form)));
    });
    heads.set(over, named);
    return named;
  };
  const demanded = new Set(analyze(wordsDemanded(question)));
  const thing = new Set(analyze(thingAsked(question)));
  const names = new Set(
    analyze(
      `${namesIn(question)} ${namesAsWritten(
        question,
        passages.map(({ text }) => text),
      )}`,
    ),
  );
  const besideNames = asked.filter((word) => !word.forms.some(isIn(names)));
  const isMeasure = ({ measures }: Word): boolean =>
    types.includes("measure") && measures.length > 0 && !measures.some((measure) => ofManyThings.has(measure));
  const counted = types.includes("count") ? asked.flatMap(({ forms }) => forms) : [];
  return mapInSlices(passages, ({ text, snippet, isProse, isOfList = false, under: over }, index) => {
    const isHeldBy = (word: Word): boolean => word.held[index] === true && word.heldByTitle[index] !== true;
    const isAbove = (word: Word): boolean => word.heldAbove[index] === true || word.heldByTitle[index] === true;
    const passageTerms = terms[index] ?? new Set<string>();
    const under = rarity(words.filter((word) => !isHeldBy(word) && isAbove(word))) / ofHeld;
    const missing = words.filter((word) => !isHeldBy(word) && !isAbove(word));
    const heldBy = (other: number): Word[] => {
      const neighbor = passages[other];
      if (!isProse || !neighbor?.isProse || neighbor.snippet !== snippet) return [];
      return missing.filter(({ held }) => held[other]);
    };
    const own = rarity(words.filter(isHeldBy)) / ofHeld;
    // "How high is the deposit?": a limit in euros says it only where the deposit is spoken of.
    const isOfOther = own === 0 && under === 0;
    const kinds = isOfOther ? [] : named.filter(({ type, terms: of }) => of.size > 0 && hasAnswerOf(type, text));
    const measured = missing.filter(
      ({ measures, forms: own }) =>
        !isOfOther &&
        (measures.some((measure) => measuresIn(text, over).has(measure)) ||
          kinds.some(({ terms: of }) => own.some(isIn(of)))),
    );
    const related = missing.filter((word) => !measured.includes(word) && containsRelated(passageTerms, word.forms));
    const dated =
      types.includes("time") && !hasAnswerOf("time", text) && !isOfOther
        ? (over.split("\n").findLast((line) => datesIn(line).length > 0) ?? null)
        : null;
    const [before, after] = [heldBy(index - 1), heldBy(index + 1)];
    const isSupported = (word: Word): boolean =>
      isHeldBy(word) || isAbove(word) || measured.includes(word) || related.includes(word) || before.includes(word);
    const hasAnswer =
      types.every(
        (type) =>
          (type === "time" && dated !== null) ||
          (hasAnswerOf(type, text) && (type !== "count" || isCounted(text, counted))) ||
          (type === "person" && asked.length >= minOfDeed && asked.every(isHeldBy) && beginsWithOther(text, forms)),
      ) && asked.every((word) => !word.forms.some(isIn(demanded)) || isSupported(word));
    const isOfNames = names.size > 0 && besideNames.length > 0 && !besideNames.some(isSupported);
    const isOfThing =
      asked.every((word) => !(word.forms.some(isIn(thing)) || isMeasure(word)) || isSupported(word)) && !isOfNames;
    const bonus =
      (types.length > 0 && hasAnswer ? numberWeight : 0) +
      ((isOfList ? own > 0 : !isProse) && isNamed(over) ? headWeight : 0);
    // A line that is a name and nothing else: "Garden centre Holm" over its invoice.
    const isName = isProse && !endsWithStop(text, text.length) && [...passageTerms].every(isIn(forms));
    const neighbors = (beforeWeight * rarity(before) + afterWeight * rarity(after)) / ofHeld;
    const told = asked.filter((word) => word.heldByTitle[index] !== true);
    const supported = told.filter(isSupported);
    const isDate =
      types[0] === "time" && asked.length > 0 && asked.every(({ held }) => held[index]) && datesIn(text).length > 0;
    return {
      dated,
      isDate,
      score: isName
        ? 0
        : (isOfNames ? namesShare : 1) * own +
          underWeight * under +
          neighbors +
          // "Quanto tempo dura" asks for one thing in two words.
          (relatedWeight * rarity(related) + measureWeight * Math.max(0, ...measured.map(({ idf }) => idf))) / ofAll +
          nearnessWeight * (nearness[index] ?? 0) +
          bonus,
      support: told.length === 0 ? 1 : content(supported) / content(told),
      hasAnswer,
      hasOwn: own > 0,
      isOfThing,
      isNamedKind: kinds.length > 0,
    };
  });
};

/** Snippets of a document that have a word which is its subject, at least, and what part of those found they are. */
const minSubjectSnippets = 3;
const minSubjectShare = 0.5;

/**
 * What most snippets of a document speak of names the document, as its title does: "the rent of the flat" is told by a line of
 * the lease about the rent alone. Where all words of a question are so, none is.
 */
const withSubjects = (
  words: readonly Word[],
  passages: readonly ScoredText[],
  of: ReadonlySet<string>,
): readonly Word[] => {
  if (of.size === 0) return words;
  const asked = words.filter(({ isEarlier }) => !isEarlier).length;
  const subjects = new Map<Word, Set<string>>();
  for (const [document, own] of Map.groupBy(passages.entries(), ([, { document = "" }]) => document)) {
    const snippetsOf = (some: typeof own): number => new Set(some.map(([, { snippet }]) => snippet)).size;
    const found = snippetsOf(own);
    if (document === "" || found < minSubjectSnippets) continue;
    const least = Math.max(minSubjectSnippets, minSubjectShare * found);
    const isOf = ({ forms, held }: Word): boolean =>
      forms.some(isIn(of)) && snippetsOf(own.filter(([at]) => held[at])) >= least;
    const ofDocument = words.filter(isOf);
    if (ofDocument.length === asked) continue;
    for (const word of ofDocument) subjects.set(word, (subjects.get(word) ?? new Set()).add(document));
  }
  return words.map((word) => {
    const documents = subjects.get(word);
    if (documents === undefined) return word;
    const isNamed = (at: number): boolean => documents.has(passages[at]?.document ?? "");
    return { ...word, heldByTitle: word.heldByTitle.map((held, at) => held || isNamed(at)) };
  });
};

/** "Who unlocks an account sooner?" of "The service desk unlocks accounts sooner": a question of so many words, all of them there. */
const minOfDeed = 3;

/** Whether a sentence begins with another word than those of the question, as the name of who does what is asked. */
const beginsWithOther = (text: string, forms: ReadonlySet<string>): boolean => {
  const first = text.match(/\p{L}[\p{L}\p{M}'’-]*/gu)?.find((word) => !analyzeQuery(word).isOfFunctionWords) ?? "";
  return /^\p{Lu}/u.test(text.replace(/^[^\p{L}]{1,8}/u, "")) && first !== "" && !analyze(first).some(isIn(forms));
};

/** Words after a number that it may count: "two new bicycles". */
const maxWordsCounted = 3;

/** Amounts of money, and numbers of sections: "$640 per child", "§ 1 Plots". */
const noCount =
  /[€$£¥₽₺§]\s?\p{Nd}[\p{Nd}.,]{0,20}|(?<!\p{Nd})\p{Nd}[\p{Nd}.,]{0,20}\s?(?:[€$£¥₽₺]|euros?(?!\p{L})|zł)|^\s{0,20}\p{Nd}{1,6}[.)]\s/giu;

/**
 * Whether a passage counts one of the things asked for: a number stands before it, or a label is followed by one. Scripts
 * without spaces are not looked at.
 */
const isCounted = (text: string, asked: readonly string[]): boolean => {
  if (asked.some(isUnspaced)) return true;
  const wanted = new Set(asked);
  const words = text.replace(noCount, " ").match(/[\p{L}\p{M}]+|\p{Nd}[\p{Nd}.,]*/gu) ?? [];
  return words.some((word, at) => {
    if (!hasAnswerOf("count", word)) return false;
    const beside = [...words.slice(at + 1, at + 1 + maxWordsCounted), ...words.slice(Math.max(0, at - 1), at)];
    return beside.some((each) => analyze(each).some((term) => wanted.has(term)));
  });
};

/** Units and labels of a passage that say what it measures. */
const measuresIn = (text: string, under: string): ReadonlySet<Measure> => {
  const key = `${under}\n${text}`;
  const known = knownMeasures.get(key);
  if (known !== undefined) return known;
  const found = new Set((key.match(/\p{L}{2,24}/gu) ?? []).flatMap(measuresOf));
  if (/\d ?°/.test(key)) found.add("temperature");
  if (/\d ?(?:m²|m2|qm|sqm)(?![\p{L}\p{N}])/u.test(key)) found.add("area");
  knownMeasures.set(key, found);
  return found;
};

const knownMeasures = new LRUCache<string, ReadonlySet<Measure>>({ max: 400 });

/** The terms of what passages have in common, such as a heading: those of one text are analyzed once. */
const termsOf = (
  passages: readonly ScoredText[],
  of: (passage: ScoredText) => string,
): Promise<ReadonlySet<string>[]> => {
  const known = new Map<string, ReadonlySet<string>>();
  return mapInSlices(passages, (passage) => {
    const text = of(passage);
    const terms = known.get(text) ?? new Set(analyze(text));
    known.set(text, terms);
    return terms;
  });
};

const wordsOf = async (
  question: string,
  understood: string,
  passages: readonly ReadonlySet<string>[],
  above: readonly ReadonlySet<string>[],
  titles: readonly ReadonlySet<string>[],
): Promise<Word[]> => {
  const { words: all, isOfFunctionWords } = formsOfWords(question);
  const before = understood === question ? [] : formsOfWords(understood).words;
  // "Until when?" after a question is about what that one asked.
  const own = isOfFunctionWords && before.length > 0 ? [] : all;
  const asked = new Set(all.flat());
  const earlier = before.filter((forms) => !forms.some(isIn(asked)));
  const word =
    (weight: number, isEarlier: boolean) =>
    (forms: readonly string[]): Word => {
      const held = passages.map((terms) => forms.some(isIn(terms)));
      const idf = inverseDocumentFrequency(passages.length, held.filter(Boolean).length);
      return {
        forms,
        idf: weight * idf,
        held,
        heldAbove: above.map((terms) => forms.some(isIn(terms))),
        heldByTitle: titles.map((terms) => forms.some(isIn(terms))),
        content: contentOf(forms),
        measures: isEarlier ? [] : [...new Set(forms.flatMap(measuresOf))],
        isEarlier,
      };
    };
  return [...(await mapInSlices(own, word(1, false))), ...(await mapInSlices(earlier, word(earlierWeight, true)))];
};

/** What a number, a name or a pair of characters says, whose rarity no list tells: as a word of one in ten thousand. */
const unlistedContent = 2;
/** "Want", "much" and "get" say little; of a language's words these are one in a few hundred. */
const commonRarity = 2.2;
const minContent = 0.3;

const contentOf = (forms: readonly string[]): number => {
  const shares = forms.map(termShare).filter((share) => share !== null);
  if (shares.length === 0) return unlistedContent;
  return Math.max(minContent, -Math.log10(Math.max(...shares)) - commonRarity);
};

const formsOfWords = (text: string): { words: string[][]; isOfFunctionWords: boolean } => {
  const { terms, isOfFunctionWords } = analyzeQuery(text);
  return { words: formsByWord(withNameForms(terms, text)), isOfFunctionWords };
};

const isIn =
  (terms: ReadonlySet<string>) =>
  (term: string): boolean =>
    terms.has(term);

const containsRelated = (terms: ReadonlySet<string>, forms: readonly string[]): boolean => {
  for (const form of forms) {
    if (form.length < minSharedLetters) continue;
    const beginning = form.slice(0, minSharedLetters);
    // "Kaltmiete" is a kind of "Miete".
    for (const term of terms)
      if (term.endsWith(form) || (term.startsWith(beginning) && sharesBeginning(term, form))) return true;
  }
  return false;
};

const sharesBeginning = (a: string, b: string): boolean => {
  const shorter = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < shorter && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared >= minSharedPart * shorter;
};
