import type { Config } from "../../../config/schema.ts";
import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import type { FoundSnippet, Retrieval, RetrievalRequest } from "../../retrieval/contract.ts";
import type { Store } from "../../store/contract.ts";
import type { Question } from "../answer-event.ts";
import { certaintyOf } from "../certainty.ts";
import { answerLanguage, noAnswerText } from "../no-answer.ts";
import { phrase } from "../phrases.ts";
import type { QuestionLanguage } from "../question-language/question-language.ts";
import { nearnessBy, type PassageModel } from "../quote/nearness.ts";
import { quoteOverview } from "../quote/overview-quotes.ts";
import { composeQuotedAnswer, quotePassages, type ReadPassages, readPassages } from "../quote/quote.ts";
import type { Ask } from "../reading/read-ask.ts";
import { type FoundInTable, gatherTable } from "../tables/gather-table.ts";
import { writeTableAnswer } from "../tables/table-answer.ts";
import { conversation } from "./conversation.ts";
import { documentNamed } from "./documents-named.ts";
import { inventory, inventoryByName } from "./inventory.ts";
import { originOf } from "./origin.ts";
import { beginningsOf, passagesOver, toFound } from "./overview.ts";

export interface GatherDependencies {
  config: Pick<Config, "answers">;
  store: Pick<Store, "documents" | "openSnippets">;
  retrieve(tenant: Tenant, request: RetrievalRequest, signal: AbortSignal): Promise<Retrieval>;
  /** The built-in static model, which compares sentences with a question at no cost to speak of. */
  passageModel: PassageModel;
}

/** What an ask is answered from. */
export interface Gathered {
  /** What was searched, and the snippets that the answer is made from. */
  retrieval: Retrieval;
  /** Documents that the answer names, where it has no snippets. */
  documents: DocumentRecord[];
  /** The answer without a model, from the snippets that were kept. */
  quote(snippets: readonly FoundSnippet[]): Promise<string>;
  /** `quote` writes the answer, whichever model is configured: nothing is left to a model. */
  isComplete: boolean;
  /** What a table says to it, and the same in words for a model. */
  inTable: FoundInTable | null;
}

/** From this measure of the gate on a reading is taken for the one that is meant. */
const likelyAnswered = 0.8;
/** Readings of a question that are searched for one after another, at most. */
const maxReadings = 5;

/**
 * Finds what an ask is answered from: by retrieval for a question, by name for an inventory, over its parts for an overview.
 * @param document the document of the scope, if it names one
 */
export const gather = async (
  deps: GatherDependencies,
  tenant: Tenant,
  question: Question,
  ask: Ask,
  document: DocumentRecord | null,
  signal: AbortSignal,
): Promise<Gathered> => {
  const gathering: Gathering = { deps, tenant, question, ask, document, signal };
  switch (ask.kind) {
    case "courtesy":
      return await courtesy(gathering);
    case "inventory":
      return await ofInventory(gathering);
    case "overview":
      return await ofOverview(gathering);
    case "conversation": {
      const language = languageFor(gathering, []);
      const again = conversation(question, ask, language);
      return { retrieval: withSnippets(question, again.snippets), documents: [], inTable: null, ...again };
    }
    case "question":
      return await ofQuestion(gathering);
  }
};

interface Gathering {
  deps: GatherDependencies;
  tenant: Tenant;
  question: Question;
  ask: Ask;
  document: DocumentRecord | null;
  signal: AbortSignal;
}

const languageFor = ({ question, ask }: Gathering, documents: readonly string[]): QuestionLanguage =>
  answerLanguage(question.query, {
    cues: ask.languages,
    before: question.history
      .filter(({ role }) => role === "user")
      .map(({ text }) => text)
      .reverse(),
    documents,
  });

/** A text of Carrel's own, without sources. */
const told = (question: Question, text: string, documents: DocumentRecord[] = []): Gathered => ({
  retrieval: withSnippets(question, []),
  documents,
  quote: async () => text,
  isComplete: true,
  inTable: null,
});

/** As if retrieval had found these, and nothing else. */
const withSnippets = (question: Question, snippets: FoundSnippet[], documents = 0): Retrieval => ({
  snippets,
  nearest: snippets,
  certainty: "sure",
  confidence: 1,
  refusedAbove: 1,
  query: question.query,
  understood: question.query,
  searched: { documents, snippets: snippets.length, text: 0, vectors: 0 },
  dropped: [],
  warnings: [],
});

const courtesy = async (gathering: Gathering): Promise<Gathered> => {
  const { deps, tenant, question, ask } = gathering;
  const { partitionId } = question;
  const { items } = await deps.store.documents.list(
    tenant,
    { status: "processed", ...(partitionId === null ? {} : { partitionId }) },
    { limit: 1, skip: 0, sortOrder: "desc" },
  );
  const newest = gathering.document ?? items[0];
  const language = languageFor(gathering, []);
  const text = phrase(language, ask.courtesy ?? "greeting");
  if (ask.courtesy === "thanks") return told(question, text);
  const example =
    newest === undefined ? phrase(language, "noDocuments") : phrase(language, "example", { name: newest.name });
  return told(question, `${text} ${example}`);
};

const ofInventory = async (gathering: Gathering): Promise<Gathered> => {
  const { deps, tenant, question, ask } = gathering;
  const language = languageFor(gathering, []);
  const found = await inventory(deps.store, tenant, question, ask, language);
  if (found !== null) return told(question, found.text, found.documents);
  // No document has all the words: the nearest passages tell which speak of it in others.
  const retrieval = await deps.retrieve(tenant, { ...question, query: ask.subject ?? ask.question }, gathering.signal);
  const none = phrase(language, "noneMentions", { subject: ask.subject ?? "" });
  return { ...told(question, none), retrieval: { ...retrieval, snippets: [], certainty: "none" } };
};

const ofOverview = async (gathering: Gathering): Promise<Gathered> => {
  const { deps, tenant, question, ask, document } = gathering;
  const view = deps.store.openSnippets();
  try {
    const named =
      document === null && ask.subject !== null ? await documentNamed(view, tenant, question, ask.subject) : null;
    const found =
      named ?? (document === null && ask.subject !== null ? await mainDocument(gathering, ask.subject) : null);
    const about = document ?? (found === null ? null : await deps.store.documents.get(tenant, found));
    // It names no document: it is about a subject, or about all of them.
    if (about === null && ask.subject !== null) return await ofQuestion(gathering);
    if (about === null) {
      const { snippets, rest, total } = await beginningsOf(deps.store, view, tenant, question, question.limit);
      const names = await namesOf(deps, tenant, snippets);
      const language = languageFor(gathering, textsOf(snippets));
      if (snippets.length === 0) return told(question, phrase(language, "noDocuments"));
      const left = total - snippets.length - rest.length;
      return {
        retrieval: withSnippets(question, snippets, total),
        documents: [],
        isComplete: false,
        inTable: null,
        async quote(kept) {
          const lines = [quoteOverview(kept, names), ...rest.map(({ name }) => `- ${name}`)].join("\n");
          return left > 0 ? `${lines}\n\n${phrase(language, "more", { count: left })}` : lines;
        },
      };
    }
    const snippets = await passagesOver(view, tenant, about, question.limit);
    const language = languageFor(gathering, textsOf(snippets));
    if (snippets.length === 0) return told(question, phrase(language, "noText"));
    return {
      retrieval: withSnippets(question, snippets, 1),
      documents: [],
      isComplete: false,
      inTable: null,
      quote: async (kept) => quoteOverview(kept, null),
    };
  } finally {
    view.close();
  }
};

/** Who wrote a document, when, what it is; null where the ask names none, or it does not say so. */
const ofOrigin = async (gathering: Gathering): Promise<Gathered | null> => {
  const { deps, tenant, question, ask, document } = gathering;
  const view = deps.store.openSnippets();
  try {
    const named = document === null ? await documentNamed(view, tenant, question, ask.subject ?? ask.question) : null;
    const about = document ?? (named === null ? null : await deps.store.documents.get(tenant, named));
    if (about === null) return null;
    const last = Math.max(0, about.progress.chunks - 1);
    const ends = await Promise.all([
      view.neighbors(tenant, about.id, 0, 0),
      view.neighbors(tenant, about.id, last, last),
    ]);
    const snippets = ends
      .flat()
      .filter(({ id }, at, all) => all.findIndex((other) => other.id === id) === at)
      .map(toFound);
    const text = originOf(about, snippets, ask.question);
    if (text === null) return null;
    return {
      retrieval: withSnippets(question, snippets, 1),
      documents: [],
      isComplete: false,
      inTable: null,
      quote: async () => text,
    };
  } finally {
    view.close();
  }
};

/** Words of a subject that are few enough to be the name of a document in other words. */
const maxNameWords = 2;

/** The document that most of the nearest passages are from, where a word or two name a subject that may be one. */
const mainDocument = async ({ deps, tenant, question, signal }: Gathering, subject: string): Promise<string | null> => {
  if (subject.split(" ").length > maxNameWords) return null;
  const { nearest, refusedAbove } = await deps.retrieve(tenant, { ...question, query: subject }, signal);
  const [first, ...others] = nearest.slice(0, 3);
  if (first === undefined || refusedAbove < likelyAnswered / 2) return null;
  return others.every(({ documentId }) => documentId === first.documentId) ? first.documentId : null;
};

const textsOf = (snippets: readonly FoundSnippet[]): string[] => snippets.slice(0, 2).map(({ text }) => text);

const namesOf = async (
  { store }: GatherDependencies,
  tenant: Tenant,
  snippets: readonly FoundSnippet[],
): Promise<Map<string, string>> => {
  const records = await store.documents.getMany(
    tenant,
    snippets.map(({ documentId }) => documentId),
  );
  return new Map(records.map(({ id, name }) => [id, name]));
};

/** Quotations for each of several questions in one ask. */
const quotationsEach = 2;

const withoutExtension = (name: string): string => name.replace(/\.\p{L}{1,5}$/u, "");

const ofQuestion = async (gathering: Gathering): Promise<Gathered> => {
  const { deps, tenant, question, ask } = gathering;
  const origin = ask.isAboutOrigin && question.wantsAnswer ? await ofOrigin(gathering) : null;
  if (origin !== null) return origin;
  const retrieval = await retrieveReadings(gathering);
  const language = languageFor(gathering, textsOf(retrieval.nearest));
  const inTable = question.wantsAnswer ? await gatherTable(deps.store, tenant, retrieval.nearest, ask) : null;
  if (inTable === null && (ask.wishes.all || ask.wishes.count) && question.wantsAnswer) {
    const named = await inventoryByName(deps.store, tenant, question, ask.question, language);
    if (named !== null) return told(question, named.text, named.documents);
  }
  if (inTable !== null) {
    const found = reachedByTable(retrieval, inTable.snippet);
    return {
      retrieval: found,
      documents: [],
      isComplete: false,
      inTable,
      async quote(kept) {
        const at = kept.findIndex(({ id }) => id === inTable.snippet.id);
        return writeTableAnswer(inTable, `[${Math.max(0, at) + 1}]`, language);
      },
    };
  }
  const names = question.wantsAnswer ? await namesOf(deps, tenant, retrieval.snippets) : new Map<string, string>();
  const quotable = (snippets: readonly FoundSnippet[]) =>
    snippets.map((snippet) => ({ ...snippet, title: withoutExtension(names.get(snippet.documentId) ?? "") }));
  const parts = ask.readings.length > 1 ? ask.readings.slice(1, 1 + maxReadings) : [retrieval.query];
  const passages: ReadPassages[] = [];
  const options = {
    nearness: nearnessBy(deps.passageModel, gathering.signal),
    ...(parts.length > 1 ? {} : { understood: retrieval.understood }),
  };
  for (const part of question.wantsAnswer ? parts : [])
    passages.push(await readPassages(part, quotable(retrieval.snippets), options));
  const witnesses = passages.map((each, at) => ({
    best: each.best,
    question: parts[at] ?? "",
    source: sourceOf(retrieval.snippets[each.bestSnippet], names),
  }));
  const certainty = question.wantsAnswer
    ? certaintyOf(retrieval, deps.config.answers.refusalThreshold, witnesses)
    : retrieval.certainty;
  const isRefused = certainty === "none";
  const kept = isRefused ? refused(retrieval) : { ...retrieval, certainty };
  return {
    retrieval: kept,
    documents: [],
    isComplete: kept.snippets.length === 0,
    inTable,
    async quote(kept) {
      const limit = parts.length > 1 ? { limit: quotationsEach } : {};
      const quotations = passages.flatMap((each) =>
        quotePassages(each, quotable(kept), { ...limit, isWhole: ask.wishes.all }),
      );
      const unlike = quotations.filter(
        ({ text }, index) => quotations.findIndex((other) => other.text === text) === index,
      );
      if (unlike.length === 0) return noAnswerText(language);
      const quoted = composeQuotedAnswer(unlike);
      return certainty === "unsure" ? `${phrase(language, "unsure")}\n\n${quoted}` : quoted;
    },
  };
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
const reachedByTable = (retrieval: Retrieval, snippet: FoundSnippet): Retrieval => {
  const { certainty, snippets, nearest } = retrieval;
  const kept = certainty === "none" ? nearest : snippets;
  return {
    ...retrieval,
    certainty: "sure",
    snippets: certainty === "none" ? [snippet] : kept,
    dropped: certainty === "none" ? [] : retrieval.dropped,
  };
};

/**
 * The question as a whole; where that is not sure and it has several sentences, each by itself, and the surest counts.
 */
const retrieveReadings = async ({ deps, tenant, question, ask, signal }: Gathering): Promise<Retrieval> => {
  const { readings } = ask;
  const request = (query: string): RetrievalRequest => ({ ...question, query });
  const whole = await deps.retrieve(tenant, request(ask.question), signal);
  if (whole.refusedAbove >= likelyAnswered || readings.length < 2) return whole;
  let best = whole;
  for (const reading of readings.slice(1, 1 + maxReadings)) {
    const read = await deps.retrieve(tenant, request(reading), signal);
    if (read.refusedAbove > best.refusedAbove) best = read;
    if (best.refusedAbove >= likelyAnswered) break;
  }
  return best;
};
