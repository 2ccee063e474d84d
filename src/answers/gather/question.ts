import type { DocumentRecord } from "../../domain/records.ts";
import type { FoundSnippet, Quotation, Retrieval } from "../../retrieval/contract.ts";
import { analyzeQuery } from "../../text/analysis/analyze.ts";
import { datesIn } from "../../text/dates.ts";
import { meaningModelFor, nearnessBy, type PassageModel } from "../quote/nearness.ts";
import { quoteOverview } from "../quote/overview-quotes.ts";
import {
  itemsCounted,
  type QuotableSnippet,
  quotePassages,
  type ReadPassages,
  readPassages,
  readPassagesByMeaning,
  versionAsked,
} from "../quote/quote.ts";
import { composeQuotedAnswer } from "../quote/write-quotations.ts";
import { beginsAsking, endsAsking } from "../reading/asking-clause.ts";
import { documentDate } from "../tables/document-date.ts";
import { type FoundInTable, gatherTable } from "../tables/gather-table.ts";
import { writeTableAnswer } from "../tables/write-table.ts";
import { noAnswerText } from "../wording/no-answer.ts";
import { phrase } from "../wording/phrases.ts";
import { certaintyOf } from "./certainty.ts";
import { recordsOf } from "./found.ts";
import { type Gathered, type Gathering, languageFor, ofPassages, textsOf, told } from "./gathering.ts";
import { headingsList } from "./headings-list.ts";
import { inventoryByName } from "./inventory.ts";
import { gatherOrigin } from "./origin.ts";
import { passagesOver } from "./overview.ts";
import { maxReadings, retrieveReadings } from "./readings.ts";
import { taskList } from "./task-list.ts";
import { differences, newestFirst } from "./versions.ts";

/** Where it is not sure which passage is meant, more of them are shown. */
const whereUnsure = { limit: 5, minShare: 0.45, around: { snippets: 3, characters: 500 } };
/** Quotations for each of several questions in one ask. */
const quotationsEach = 2;

const withoutExtension = (name: string): string => name.replace(/\.\p{L}{1,5}$/u, "");

/** What retrieval finds for a question, unless a table, a day or the names of documents say it. */
export const gatherQuestion = async (gathering: Gathering): Promise<Gathered> => {
  const { deps, tenant, question, ask } = gathering;
  const isCompared = ask.wishes.compare && versionAsked(ask.question) === null;
  const origin = ask.isAboutOrigin && question.wantsAnswer ? await gatherOrigin(gathering) : null;
  if (origin !== null) return origin;
  const retrieval = await retrieveReadings(gathering);
  const language = languageFor(gathering, textsOf(retrieval.nearest));
  const tasks = question.wantsAnswer
    ? await taskList(deps.store, tenant, retrieval.nearest, ask.question, ask.wishes)
    : null;
  if (tasks !== null)
    return markedBy(retrieval, tasks.snippet, null, (mark) => writeList(tasks.items, ask.wishes.count, mark));
  const inTable = question.wantsAnswer
    ? await gatherTable(deps.store, tenant, retrieval.nearest, ask, question.history)
    : null;
  if (inTable === null && (ask.wishes.all || ask.wishes.count) && question.wantsAnswer) {
    const subject = ask.subject ?? ask.question;
    const named = await inventoryByName(deps.store, tenant, question, subject, language);
    if (named !== null && !question.isVisitor) return told(question, named.text, named.documents);
    const listed = await headingsList(deps.store, tenant, retrieval.nearest, subject);
    if (listed !== null)
      return markedBy(retrieval, listed.snippet, null, (mark) => writeList(listed.headings, ask.wishes.count, mark));
  }
  const ofDate = inTable === null && question.wantsAnswer ? await ofDay(gathering, retrieval) : null;
  if (ofDate !== null) return ofDate;
  if (inTable !== null)
    return markedBy(retrieval, inTable.snippet, inTable, (mark) => {
      const answer = writeTableAnswer(inTable, mark, language);
      return inTable.isOfSubject ? answer : `${phrase(language, "unsure")}\n\n${answer}`;
    });
  const records = question.wantsAnswer ? await recordsOf(deps.store, tenant, retrieval.nearest) : null;
  const names = new Map([...(records?.values() ?? [])].map(({ id, name }) => [id, name]));
  const quotable = (snippets: readonly FoundSnippet[]) =>
    snippets.map((snippet) => ({ ...snippet, title: withoutExtension(names.get(snippet.documentId) ?? "") }));
  // "The ring is red. What should I do?" asks one thing.
  const telling = ask.readings.slice(1, 1 + maxReadings).filter((reading) => !analyzeQuery(reading).isOfFunctionWords);
  // "We are four friends and do not know from when we can get the keys": who asks is no part of what is asked.
  const { query } = retrieval;
  const isTold = query !== ask.question && ask.readings.includes(query) && query.includes(ask.question);
  const parts = telling.length > 1 ? telling : [isTold ? ask.question : query];
  const passages: ReadPassages[] = [];
  const options = {
    nearness: nearnessBy(deps.passageModel, gathering.signal),
    isWhole: ask.wishes.all || ask.wishes.count,
    ...(parts.length > 1 ? {} : { understood: retrieval.understood }),
  };
  for (const part of question.wantsAnswer ? parts : [])
    passages.push(await readPassages(part, quotable(retrieval.snippets), options));
  const witnesses = passages.map((each, at) => ({
    best: each.best,
    question: parts[at] ?? "",
    source: sourceOf(retrieval.snippets[each.bestSnippet], names),
  }));
  const { refusalThreshold } = deps.config.answers;
  const byWords =
    question.wantsAnswer && retrieval.snippets.length > 0
      ? certaintyOf(retrieval, refusalThreshold, witnesses)
      : retrieval.certainty;
  const isMeaningAsked = question.wantsAnswer && byWords !== "sure" && parts.length === 1 && !isCompared;
  const meaningModel = isMeaningAsked
    ? meaningModelFor(retrieval.understood, deps.meaningModel, deps.passageModel)
    : null;
  const byMeaning =
    meaningModel === null
      ? null
      : await readPassagesByMeaning(
          retrieval.understood,
          quotable(retrieval.nearest),
          nearnessBy(meaningModel, gathering.signal),
        );
  /** Of several questions, those that are not answered as surely as another one. */
  const doubts = witnesses.map(
    (witness) =>
      byWords === "sure" &&
      parts.length > 1 &&
      (endsAsking(witness.question) || beginsAsking(witness.question)) &&
      certaintyOf(retrieval, refusalThreshold, [witness]) !== "sure",
  );
  const isReached = byWords === "none" && isNearInMeaning(meaningModel, byMeaning, refusalThreshold);
  const certainty = isReached ? "unsure" : byWords;
  const reached = isReached ? { ...retrieval, snippets: retrieval.nearest, dropped: [] } : retrieval;
  const kept = certainty === "none" ? refused(retrieval) : { ...reached, certainty };
  return {
    retrieval: kept,
    documents: [],
    isComplete: kept.snippets.length === 0,
    inTable: null,
    records,
    async quote(kept) {
      const snippets = quotable(kept);
      const [first] = passages;
      const items = ask.wishes.count && first !== undefined ? itemsCounted(first, parts[0] ?? "") : null;
      const shown = certainty === "unsure" && items === null ? whereUnsure : {};
      const quotations =
        isCompared && areTwoNear(passages, kept)
          ? compared(passages, kept, snippets)
          : byMeaning !== null && byMeaning.scored.length > 0
            ? byWordsAndMeaning(passages, byMeaning, snippets)
            : passages
                .filter((_, at) => doubts[at] !== true)
                .flatMap((each) =>
                  quotePassages(each, snippets, {
                    ...(parts.length > 1 ? { limit: quotationsEach } : shown),
                    isWhole: ask.wishes.all || items !== null,
                  }),
                );
      const doubted = passages
        .filter((_, at) => doubts[at] === true)
        .flatMap((each) => quotePassages(each, snippets, { limit: quotationsEach }))
        .filter(({ text }) => quotations.every((other) => other.text !== text));
      const unlike = quotations.filter(
        ({ text }, index) => quotations.findIndex((other) => other.text === text) === index,
      );
      if (unlike.length === 0) return noAnswerText(language);
      const count = items === null ? "" : `${items.count} [${items.snippet + 1}]\n`;
      const inOrder = ordered(unlike, kept, records ?? new Map(), ask.wishes.recent);
      const isOfSeveral = new Set(unlike.map(({ snippet }) => kept[snippet]?.documentId)).size > 1;
      const told = isOfSeveral && (ask.wishes.all || isCompared) ? snippets.map(({ title }) => title) : [];
      const quoted = `${count}${composeQuotedAnswer(inOrder, told)}`;
      const unsure = phrase(language, "unsure");
      if (certainty === "unsure") return `${unsure}\n\n${quoted}`;
      return doubted.length === 0 ? quoted : `${quoted}\n\n${unsure}\n\n${composeQuotedAnswer(doubted)}`;
    },
  };
};

/** Where both are asked: the best by words come first if they have so much of the question. */
const enoughOfQuestion = 0.5;
const byWordsLimit = { limit: 3, minShare: 0.45 };
const byMeaningLimit = { ...whereUnsure, minShare: 0.6 };
/** Where words find nothing, a passage is near from this cosine on: of what no document is about, half is nearer. */
const nearCosines = { static: 0.25, others: 0.32 };

/** Whether a passage is near though words find nothing; at a wish of more than the usual, words decide alone. */
const isNearInMeaning = (meaningModel: PassageModel | null, byMeaning: ReadPassages | null, wish: number): boolean =>
  wish <= 0.5 &&
  (byMeaning?.best?.score ?? 0) >= (meaningModel?.model === "static" ? nearCosines.static : nearCosines.others);

/** The best passages by words and those by meaning, the likelier first. */
const byWordsAndMeaning = (
  byWords: readonly ReadPassages[],
  byMeaning: ReadPassages,
  quotable: readonly QuotableSnippet[],
): Quotation[] => {
  const words = byWords.flatMap((each) => quotePassages(each, quotable, byWordsLimit));
  const meaning = quotePassages(byMeaning, quotable, byMeaningLimit);
  const haveWords = byWords.some(({ best }) => best !== null && best.support >= enoughOfQuestion);
  return haveWords ? [...words, ...meaning] : [...meaning, ...words];
};

/** Words besides the date in a question that asks for all of a day ("what happened on …"). */
const maxWordsBeside = 1;

/** What a document of a day says, where the question names the day and nothing else; null elsewhere. */
const ofDay = async ({ deps, tenant, question, ask }: Gathering, { nearest }: Retrieval): Promise<Gathered | null> => {
  const day = datesIn(ask.question)[0];
  if (day === undefined) return null;
  const beside = analyzeQuery(ask.question.replace(day.written, " "));
  if (!beside.isOfFunctionWords && beside.words.length > maxWordsBeside) return null;
  const records = [...(await recordsOf(deps.store, tenant, nearest)).values()];
  const about = records.find((record) => documentDate(record, nearest) === day.date);
  if (about === undefined) return null;
  const view = deps.store.openSnippets();
  try {
    const snippets = await passagesOver(view, tenant, about, question.limit);
    return ofPassages(question, snippets, 1, async (kept) => quoteOverview(kept, null));
  } finally {
    view.close();
  }
};

/** Documents that are compared, and what is quoted of each. */
const maxCompared = 2;
const comparedEach = 3;
/** Passages of each document that are looked at for what differs. */
const maxRead = 12;

/** The second document must have so much of what the first one has: "revenue compared to plan" is of one. */
const minShareOfSecond = 0.4;

const areTwoNear = (passages: readonly ReadPassages[], kept: readonly FoundSnippet[]): boolean => {
  const best = new Map<string, number>();
  for (const { scored } of passages)
    for (const { snippet, answers } of scored) {
      const id = kept[snippet]?.documentId;
      if (id !== undefined) best.set(id, Math.max(best.get(id) ?? 0, answers.score));
    }
  const [first = 0, second = 0] = [...best.values()].sort((a, b) => b - a);
  return second >= minShareOfSecond * first;
};

/** What the best passages of two documents say otherwise. */
const compared = (
  passages: readonly ReadPassages[],
  kept: readonly FoundSnippet[],
  quotable: readonly QuotableSnippet[],
): Quotation[] => {
  const documents = [...new Set(kept.map(({ documentId }) => documentId))].slice(0, maxCompared);
  const of = (id: string): Quotation[] =>
    passages.flatMap(({ scored, ...rest }) => {
      const own = scored.filter(({ snippet }) => kept[snippet]?.documentId === id);
      return quotePassages({ ...rest, scored: own }, quotable, { limit: maxRead, minShare: 0 });
    });
  return differences(documents.map(of), comparedEach);
};

/** Newer versions first. */
const ordered = (
  quotations: readonly Quotation[],
  kept: readonly FoundSnippet[],
  records: ReadonlyMap<string, DocumentRecord>,
  isRecentAsked: boolean,
): Quotation[] => {
  const dated = quotations.map((quotation) => {
    const documentId = kept[quotation.snippet]?.documentId ?? "";
    const record = records.get(documentId);
    return { quotation, documentId, date: record === undefined ? 0 : documentDate(record, kept) };
  });
  return newestFirst(dated, isRecentAsked);
};

/** An answer that a snippet stands for, written with its mark. */
const markedBy = (
  retrieval: Retrieval,
  snippet: FoundSnippet,
  inTable: FoundInTable | null,
  write: (mark: string) => string,
): Gathered => ({
  retrieval: reachedByTable(retrieval, snippet, inTable?.isOfSubject ?? true),
  documents: [],
  isComplete: false,
  inTable,
  records: null,
  async quote(kept) {
    const at = kept.findIndex(({ id }) => id === snippet.id);
    return write(`[${Math.max(0, at) + 1}]`);
  },
});

/** The items of a list, and their number where it is asked. */
const writeList = (items: readonly string[], isCounted: boolean, mark: string): string => {
  const lines = items.map((item) => `- ${item}`);
  const isTold = isCounted || items.length === 0;
  return (isTold ? [`${items.length} ${mark}`, ...lines] : [...lines, `\n${mark}`]).join("\n");
};

/** Nothing that was found is near. */
const refused = (retrieval: Retrieval): Retrieval => ({
  ...retrieval,
  certainty: "none",
  snippets: [],
  dropped:
    retrieval.snippets.length === 0
      ? retrieval.dropped
      : [{ reason: "not_relevant", count: retrieval.snippets.length + droppedIn(retrieval) }],
});

const droppedIn = ({ dropped }: Retrieval): number => dropped.reduce((sum, { count }) => sum + count, 0);

const sourceOf = (snippet: FoundSnippet | undefined, names: ReadonlyMap<string, string>): string =>
  snippet === undefined
    ? ""
    : [names.get(snippet.documentId) ?? "", ...snippet.headings, snippet.context, snippet.text].join("\n");

/** A table that answers leaves no doubt; its snippet is among the sources. */
const reachedByTable = (retrieval: Retrieval, snippet: FoundSnippet, isSure: boolean): Retrieval => {
  const { certainty, snippets, nearest } = retrieval;
  const kept = certainty === "none" ? nearest : snippets;
  return {
    ...retrieval,
    certainty: isSure ? "sure" : "unsure",
    snippets: certainty === "none" ? [snippet] : kept,
    dropped: certainty === "none" ? [] : retrieval.dropped,
  };
};
