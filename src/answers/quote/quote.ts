import type { Quotation } from "../../retrieval/contract.ts";
import { analyze, analyzeQuery } from "../../text/analysis/analyze.ts";
import { datesIn, monthIn } from "../../text/dates.ts";
import { type PassageScore, scoresOfPassages, unscored } from "./passage-scores.ts";
import { type Passage, passagesOf } from "./passages.ts";
import { readable } from "./readable.ts";

/** A snippet to quote from. */
export interface QuotableSnippet {
  text: string;
  /** Fused score, larger is better. */
  score: number;
  /** Headings at its first character, outermost first; one that it begins with is the last. */
  headings?: readonly string[];
  /** Column names of the table that it continues. */
  context?: string;
  /** The name of its document. */
  title?: string;
  documentId?: string;
}

export interface QuoteOptions {
  /** Largest number of quotations. */
  limit?: number;
  /** Number of snippets to read, from the best. */
  snippets?: number;
  /** The question with what it adds from earlier turns. */
  understood?: string;
  /** All that belongs together is wanted: the whole list or table of the best passage. */
  isWhole?: boolean;
  /** A further quotation must score at least this part of the first one's. */
  minShare?: number;
  /** Instead of the best passages of all: so many characters of each of the first snippets, around its best passage. */
  around?: { snippets: number; characters: number };
  /** Tells how near passages are to the question in meaning, 0 to 1 each; left out: only words count. */
  nearness?: Nearness;
}

/** How near texts are to a question in meaning, 0 to 1. */
export type Nearness = (question: string, texts: readonly string[]) => Promise<number[]>;

/** Snippets whose passages are compared in meaning, and passages of them: each costs some 4 ms of a CPU. */
const maxComparedSnippets = 4;
const maxComparedPassages = 24;

/**
 * The passages nearest to a question in meaning, each read with what it stands under: where a question has other words than
 * the documents. Of 20 such asks the right passage is among the first five for 10 (MiniLM); by their words for 3.
 */
export const readPassagesByMeaning = async (
  question: string,
  snippets: readonly QuotableSnippet[],
  nearness: Nearness,
): Promise<ReadPassages> => {
  const passages = snippets
    .slice(0, maxComparedSnippets)
    .flatMap(({ text }, snippet) => passagesOf(text).map((passage) => ({ passage, snippet })))
    .filter(isQuotable)
    .slice(0, maxComparedPassages);
  const texts = passages.map(({ passage, snippet }) => {
    const { title = "", headings = [] } = snippets[snippet] ?? {};
    const over = [title, passage.headings.at(-1) ?? headings.at(-1), passage.intro, passage.question];
    return [...over.filter((each) => each), readable(passage.text)].join(": ");
  });
  const near = await nearness(question, texts);
  const scored = passages.map(({ passage, snippet }, at) => ({
    passage,
    snippet,
    score: near[at] ?? 0,
    answers: { ...unscored, score: near[at] ?? 0 },
  }));
  const [first] = near.length === 0 ? [] : pick(scored, 1);
  return { scored: near.length === 0 ? [] : scored, best: first?.answers ?? null, bestSnippet: first?.snippet ?? 0 };
};

/** Headings, questions and heads of tables say nothing by themselves, but for the day of what a heading names. */
const isQuotable = ({ passage, answers }: Pick<Scored, "passage"> & Partial<Scored>): boolean =>
  (passage.kind !== "heading" || answers?.isDate === true) && !passage.isAsking;

const defaultMaxQuotations = 3;
const defaultSnippets = 6;
/**
 * A further quotation must score at least this part of the first one's. Over XQuAD in four languages .6 quotes 2.8 sentences and
 * .7 2.5, of which one holds the answer as often (−.1); .75 quotes 2.2 and loses .9 points.
 */
const minScoreShare = 0.7;
/** A passage without the kind of thing that is asked for must score so much more than one that has it. */
const minAnswerShare = 0.75;
/** Longest list that is quoted whole after the line that introduces it, in characters. */
const maxListCharacters = 700;

interface Scored {
  passage: Passage;
  snippet: number;
  score: number;
  answers: PassageScore;
}

/** The passages of snippets with their scores for a question. */
export interface ReadPassages {
  scored: readonly Scored[];
  /** Of the passage that is quoted first: how well it answers; null where there is none. */
  best: PassageScore | null;
  /** Index of its snippet. */
  bestSnippet: number;
}

/** Reads the passages of the snippets for a question. @param snippets best first */
export const readPassages = async (
  question: string,
  snippets: readonly QuotableSnippet[],
  options: Pick<QuoteOptions, "snippets" | "understood" | "nearness" | "isWhole"> = {},
): Promise<ReadPassages> => {
  const scored = await scorePassages(question, snippets.slice(0, options.snippets ?? defaultSnippets), options);
  const [first] = pick(scored, 1);
  return { scored, best: first?.answers ?? null, bestSnippet: first?.snippet ?? 0 };
};

/**
 * Picks the sentences, list items and table rows that answer the question, by the question's words in and around them and
 * by the score of their snippet. The best comes first, the others in reading order. Each is word for word in its snippet.
 * Measured on questions in German, Spanish, Russian and Chinese: the first quotation contains the known answer in 74 to 78
 * of 100, one of three in 86 to 93, which is 3 to 5 and 4 to 6 more than by the question's words alone.
 * @param snippets best first, as they are returned to the caller: a quotation's index points into them
 */
export const quoteAnswer = async (
  question: string,
  snippets: readonly QuotableSnippet[],
  options: QuoteOptions = {},
): Promise<Quotation[]> => quotePassages(await readPassages(question, snippets, options), snippets, options);

/** The same of passages that have been read. */
export const quotePassages = (
  { scored }: ReadPassages,
  snippets: readonly QuotableSnippet[],
  { limit = defaultMaxQuotations, isWhole = false, minShare = minScoreShare, around }: QuoteOptions = {},
): Quotation[] => {
  const there = scored.filter(({ snippet }) => snippet < snippets.length);
  const picked = pick(there, limit, minShare);
  const [first] = picked;
  const isSpread = around !== undefined && !isWhole;
  const isList = first !== undefined && !isSpread && isOfList(first, there, isWhole);
  const spread = isSpread ? surroundings(there, snippets, { minShare, around }) : picked;
  const section = first === undefined || isSpread ? null : ofSection(first, picked, there, snippets);
  const chosen = section ?? (isList && first !== undefined ? together(first, there) : spread);
  return chosen
    .flatMap(({ passage, snippet, answers }) => [
      ...(answers.dated === null ? [] : [{ text: answers.dated, snippet, head: null }]),
      ...(passage.intro === null || passage.kind === "row" ? [] : [{ text: passage.intro, snippet, head: null }]),
      ...withList(passage, snippet, snippets[snippet]?.text ?? ""),
    ])
    .map(({ text, snippet, head }) => ({ text: foldSpace(text), snippet, head }))
    .filter(({ text, snippet }, index, all) => {
      const first = all.findIndex((other) => other.text === text) === index;
      return first && foldSpace(snippets[snippet]?.text ?? "").includes(text);
    });
};

/** A snippet with less than this part of the best one's score is of something else. */
const minNearShare = 0.4;
/** Characters that say as much as three letters. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const denseWeight = 2;
/** Rows of a table that are quoted of a snippet, at most. */
const maxRowsAround = 3;

/** The best passage of each of the first snippets, with those after and before it as far as they fit. */
const surroundings = (
  scored: readonly Scored[],
  snippets: readonly QuotableSnippet[],
  { minShare = minScoreShare, around }: QuoteOptions & Pick<Required<QuoteOptions>, "around">,
): Scored[] => {
  const bySnippet = [...Map.groupBy(scored.filter(isQuotable), ({ snippet }) => snippet)].sort(([a], [b]) => a - b);
  const most = Math.max(...bySnippet.map(([at]) => snippets[at]?.score ?? 0));
  const near = bySnippet.filter(([at]) => (snippets[at]?.score ?? 0) >= minNearShare * most);
  return near.slice(0, around.snippets).flatMap(([snippet, own]) => {
    const picked = pick(own, maxRowsAround, minShare);
    const [first] = picked;
    if (first === undefined) return [];
    // Each row of a table says something by itself.
    if (first.passage.kind === "row")
      return picked.filter((each) => each === first || each.answers.score >= minShare * first.answers.score);
    // An answer of a list of questions says little without its question.
    const inOrder = scored
      .filter(({ snippet: of, passage }) => of === snippet && passage.kind !== "row" && passage.kind !== "heading")
      .sort((a, b) => a.passage.start - b.passage.start);
    const lengthOf = (at: number): number => {
      const passage = inOrder[at]?.passage;
      if (passage === undefined) return Number.POSITIVE_INFINITY;
      // A question is shown for its answer's sake.
      return passage.isAsking ? 0 : passage.text.length + denseWeight * (passage.text.match(dense)?.length ?? 0);
    };
    const best = inOrder.indexOf(first);
    let [from, to] = [best, best + 1];
    const scoreOf = (at: number): number => inOrder[at]?.answers.score ?? 0;
    for (let left = around.characters - lengthOf(best); ; ) {
      const fits = { before: lengthOf(from - 1) <= left, after: lengthOf(to) <= left };
      // The side that has more of the question; what comes after where both are alike.
      if (fits.after && !(fits.before && scoreOf(from - 1) > scoreOf(to))) left -= lengthOf(to++);
      else if (fits.before) left -= lengthOf(--from);
      else break;
    }
    while (inOrder[to - 1]?.passage.isAsking === true && to > best + 1) to--;
    return paragraphs(inOrder.slice(from, to), snippets[snippet]?.text ?? "");
  });
};

/** Whether a passage begins a line: lines that are only wrapped seldom end with a sentence. */
const isNewLine = (text: string, before: Passage, start: number): boolean =>
  text.slice(before.start + before.text.length, start).includes("\n");

/** So much before a sentence in its line is quoted with it. */
const maxBefore = 160;

/** A sentence with the question before it in its line: "Lisa: Can I bring Felix? He is vegetarian". */
const fromLineStart = (each: Scored, text: string): Scored => {
  const { start, text: own, question } = each.passage;
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const before = text.slice(from, start);
  if (question === null || before.trim() === "" || before.length > maxBefore) return each;
  return { ...each, passage: { ...each.passage, start: from, text: text.slice(from, start + own.length) } };
};

/** Sentences that follow each other in a paragraph are one passage, with one mark. */
const paragraphs = (inOrder: readonly Scored[], text: string): Scored[] => {
  const joined: Scored[] = [];
  for (const each of inOrder) {
    const last = joined.at(-1);
    const { kind, block, start } = each.passage;
    const isNext = kind === "sentence" && last?.passage.kind === kind && last.passage.block === block;
    if (last === undefined || !isNext || isNewLine(text, last.passage, start)) {
      joined.push(kind === "sentence" ? fromLineStart(each, text) : each);
      continue;
    }
    const end = start + each.passage.text.length;
    const { introducesList } = each.passage;
    joined[joined.length - 1] = {
      ...last,
      passage: { ...last.passage, introducesList, text: text.slice(last.passage.start, end) },
    };
  }
  return joined;
};

/** A list of so many characters is read at once: all of it is quoted where one item is. */
const maxShortList = 420;
/** An item with this part of the question is the one that is asked for. */
const minOfOwn = 0.55;
/** So is one beside which every other item has less than this part of its score. */
const maxOfOther = 0.4;

/** Whether the list or table of a passage is quoted whole: where all is wanted, and a list that is short. */
const isOfList = (first: Scored, scored: readonly Scored[], isWhole: boolean): boolean => {
  const { kind } = first.passage;
  if (kind === "row") return isWhole || isAlike(together(first, scored));
  if (kind === "sentence") return isWhole && (label.test(first.passage.text) || isOverList(first, scored));
  if (kind !== "item") return false;
  const list = together(first, scored);
  const length = list.reduce((sum, { passage }) => sum + passage.text.length, 0);
  const others = list.filter((each) => each !== first).map(({ answers }) => answers.score);
  const isOwn = first.answers.support >= minOfOwn || Math.max(0, ...others) < maxOfOther * first.answers.score;
  return isWhole || (length <= maxShortList && !isOwn);
};

/** A heading that has so much of the question is what it asks for: words of headings count less than a passage's own. */
const enoughOver = 0.6;

/**
 * Where the heading has what is asked and no sentence under it has any of it ("what are the house rules"): what stands under
 * it, from its beginning, as far as a short list goes, and what else was picked.
 */
const ofSection = (
  { passage, snippet, answers }: Scored,
  picked: readonly Scored[],
  scored: readonly Scored[],
  snippets: readonly QuotableSnippet[],
): Scored[] | null => {
  const isHeaded = passage.kind === "sentence" && passage.headings.length > 0 && passage.question === null;
  if (!isHeaded || answers.hasOwn || answers.support < enoughOver) return null;
  const heading = passage.headings.join("\n");
  const under = scored
    .filter((each) => each.snippet === snippet && each.passage.headings.join("\n") === heading && isQuotable(each))
    .sort((a, b) => a.passage.start - b.passage.start);
  let left = maxShortList;
  const read = under.filter(({ passage: { text } }) => {
    left -= left < 0 ? 0 : text.length;
    return left >= 0;
  });
  // Where a kind of thing is asked for, as a time is, what has none of it says nothing.
  if (read.length < 2 || read.some((each) => !each.answers.hasAnswer)) return null;
  return [...paragraphs(read, snippets[snippet]?.text ?? ""), ...picked.filter((each) => !read.includes(each))];
};

/** How many items the list has that a question counts by its heading or first line; null where the passage has a number itself. */
export const itemsCounted = ({ scored }: ReadPassages, question: string): { count: number; snippet: number } | null => {
  const [best] = pick(scored, 1);
  if (best === undefined || best.answers.hasAnswer) return null;
  const { kind, intro, headings } = best.passage;
  if (kind !== "item" && !(kind === "sentence" && intro !== null)) return null;
  const asked = new Set(analyzeQuery(question).terms.map(({ term }) => term));
  if (!analyze(intro ?? headings.at(-1) ?? "").some((term) => asked.has(term))) return null;
  const count = together(best, scored).filter(({ passage }) => passage.kind === kind).length;
  return count < 2 || count === maxTogether ? null : { count, snippet: best.snippet };
};

const isOverList = ({ passage: { text } }: Scored, scored: readonly Scored[]): boolean =>
  scored.some(({ passage }) => passage.kind === "sentence" && passage.intro === text);

/** No row says more of what is asked than another: "options of paperboat" asks for all. */
const isAlike = (rows: readonly Scored[]): boolean => {
  const scores = rows.map(({ answers }) => answers.score);
  return rows.length > 2 && Math.max(...scores) - Math.min(...scores) < 0.01;
};

/** A sentence that begins with what it and the next ones are. */
const label = /^[^:：.!?]{2,40}[:：]\s/u;

/** Passages that are quoted together where all are wanted, at most. */
const maxTogether = 24;

/** The list, table or paragraph that a passage is a part of. */
const together = (best: Scored, scored: readonly Scored[]): Scored[] => {
  const beside = scored
    .filter(({ snippet, passage }) => snippet === best.snippet && passage.block === best.passage.block)
    .sort((a, b) => a.passage.start - b.passage.start);
  const told = beside.filter(({ passage }) => !passage.isAsking);
  if (best.passage.kind !== "sentence") return told.slice(0, maxTogether);
  // "Side effects" over "Common: …", "Rare: …": those under one line.
  const over = best.passage.intro ?? best.passage.text;
  const under = told.filter(({ passage }) => passage.intro === over);
  if (under.length > 0) return under.slice(0, maxTogether);
  // "Action items: Ann writes. Bob calls." goes on to the next label.
  const from = told.indexOf(best);
  const end = told.findIndex(({ passage }, at) => at > from && label.test(passage.text));
  return told.slice(from, end < 0 ? undefined : end).slice(0, maxTogether);
};

const scorePassages = async (
  question: string,
  snippets: readonly QuotableSnippet[],
  { understood, nearness, isWhole }: Pick<QuoteOptions, "understood" | "nearness" | "isWhole">,
): Promise<Scored[]> => {
  const all = snippets.flatMap(({ text }, snippet) => passagesOf(text).map((passage) => ({ passage, snippet })));
  const version = versionAsked(question);
  const ofVersion = version === null ? [] : all.filter(({ passage }) => isOfVersion(passage, version));
  const passages = ofVersion.length > 0 ? ofVersion : ofMonth(question, all, snippets);
  const scores = await scoresOfPassages(
    question,
    passages.map(({ passage, snippet }) => ({
      text: passage.text,
      snippet,
      isProse: passage.kind === "sentence" || passage.kind === "code",
      isOfList: isWhole === true && passage.kind === "sentence" && passage.intro !== null,
      under: above(passage, snippets[snippet]),
      title: snippets[snippet]?.title ?? "",
      document: snippets[snippet]?.documentId ?? "",
    })),
    understood,
    await nearness?.(
      question,
      passages.map(({ passage }) => passage.text),
    ),
  );
  const largest = Math.max(...snippets.map(({ score }) => score), Number.MIN_VALUE);
  return passages.map(({ passage, snippet }, index) => {
    const answers = scores[index] ?? unscored;
    return { passage, snippet, answers, score: answers.score + (snippets[snippet]?.score ?? 0) / largest };
  });
};

const versions = /(?<![\p{L}\d.])v?(\d{1,4}(?:\.\d{1,4}){1,3})(?![\p{L}\d]|\.\d)/giu;

/** The one version that a question names: "what changed in 3.1.0". Only sections that are called so say it. */
export const versionAsked = (question: string): string | null => {
  const [only, ...others] = [...question.slice(0, 1_000).matchAll(versions)].map(([, version]) => version ?? "");
  return only === undefined || others.length > 0 ? null : only;
};

const isOfVersion = ({ headings }: Passage, version: string): boolean =>
  [...(headings.at(-1) ?? "").matchAll(versions)].some(([, each]) => each === version);

/**
 * Where a question names a month, and a document has a section of it, as minutes and change logs have: without its other dated
 * sections.
 */
const ofMonth = <Each extends { passage: Passage; snippet: number }>(
  question: string,
  all: readonly Each[],
  snippets: readonly QuotableSnippet[],
): readonly Each[] => {
  const asked = monthIn(question);
  if (asked === null) return all;
  const isOf = ({ passage, snippet }: Each): boolean | null => {
    const headings = [...(snippets[snippet]?.headings ?? []), ...passage.headings];
    const dated = headings.flatMap((each) => datesIn(each).map(({ date }) => new Date(date))).at(-1);
    if (dated === undefined) return null;
    return dated.getUTCMonth() + 1 === asked.month && (asked.year === null || dated.getUTCFullYear() === asked.year);
  };
  const documentOf = ({ snippet }: Each): string | undefined => snippets[snippet]?.documentId;
  const judged = all.map(isOf);
  const withSection = new Set(all.filter((_, at) => judged[at] === true).map(documentOf));
  return all.filter((each, at) => judged[at] !== false || !withSection.has(documentOf(each)));
};

/** What a passage stands under, in its snippet and outside. */
const above = ({ kind, headings, intro, question }: Passage, snippet: QuotableSnippet | undefined): string => {
  if (kind === "heading" || snippet === undefined) return "";
  const { headings: path = [], context = "", text } = snippet;
  const last = path.at(-1);
  const beginsWithHeading = last !== undefined && (text.trimStart().split("\n", 1)[0] ?? "").includes(last);
  // Under a heading of the snippet, the one that it begins with is known, and the one it begins under has most likely ended.
  const outer = headings.length > 0 && (beginsWithHeading || path.length > 1) ? path.slice(0, -1) : path;
  return [...outer, ...headings, kind === "row" && intro === null ? context : "", intro ?? "", question ?? ""].join(
    "\n",
  );
};

const pick = (scored: readonly Scored[], limit: number, minShare = minScoreShare): Scored[] => {
  const quotable = scored.filter(isQuotable);
  const ranked = [...(quotable.length > 0 ? quotable : scored)].sort(
    (a, b) => b.score - a.score || a.snippet - b.snippet || a.passage.start - b.passage.start,
  );
  const [first] = ranked;
  if (first === undefined) return [];
  // What has the kind of thing that is asked for comes before what has only the words.
  const best =
    ranked.find(
      ({ answers, score }) =>
        answers.hasAnswer &&
        answers.hasOwn &&
        answers.support >= first.answers.support &&
        score >= minAnswerShare * first.score,
    ) ?? first;
  const seen = new Set<string>();
  const picked: Scored[] = [];
  for (const candidate of [best, ...ranked.filter((each) => each !== best)]) {
    if (picked.length >= limit || candidate.score < minShare * best.score) break;
    if (isLesserRow(candidate, best)) continue;
    if (candidate.answers.score === 0 && best.answers.score > 0) continue;
    // Beside a time, what has none does not say when.
    if (best.answers.hasAnswer && !candidate.answers.hasAnswer) continue;
    const text = foldSpace(candidate.passage.text).toLowerCase();
    if ([...seen].some((other) => other.includes(text) || text.includes(other))) continue;
    seen.add(text);
    picked.push(candidate);
  }
  const rest = picked.slice(1).sort((a, b) => a.snippet - b.snippet || a.passage.start - b.passage.start);
  return [best, ...rest];
};

/** Where a row of a table has more of what is asked, another one is of something else. */
const isLesserRow = ({ passage, answers, snippet }: Scored, best: Scored): boolean =>
  passage.kind === "row" &&
  best.passage.kind === "row" &&
  snippet === best.snippet &&
  passage.block === best.passage.block &&
  answers.score < 0.9 * best.answers.score;

/** The passage; if it introduces a list, with the items of the list. */
const withList = (passage: Passage, snippet: number, text: string): Quotation[] => {
  const head = passage.kind === "row" ? (passage.intro ?? "") : null;
  const quoted: Quotation[] = [{ text: passage.text, snippet, head }];
  if (!passage.introducesList) return quoted;
  let length = 0;
  for (const next of passagesOf(text)) {
    if (next.start <= passage.start) continue;
    length += next.text.length;
    if (next.kind !== "item" || length > maxListCharacters) break;
    quoted.push({ text: next.text, snippet, head: null });
  }
  return quoted;
};

/** The text with single spaces as its only white space: quotations are compared with their source so. */
export const foldSpace = (text: string): string => text.replace(/\s+/gu, " ").trim();
