import { counted } from "../../components/words.ts";

const count = (number: number): string => number.toLocaleString();
const duration = (ms: number): string =>
  ms < 1_000
    ? `${Math.max(1, Math.round(ms))} ms`
    : `${(ms / 1_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;

/** Nothing is certain: neither none nor all. */
const cases = (share: number): string => {
  const of100 = Math.round(share * 100);
  return of100 < 1 ? "hardly any case" : of100 > 99 ? "nearly all cases" : `about ${of100} of 100 cases`;
};
/** @param kept how many of those that were found the receipt names */
const found = (kept: number, hits: number): string =>
  kept === 0
    ? "nothing was found"
    : kept < hits
      ? `the best ${count(kept)} of ${counted(hits, "passage", "passages")}`
      : counted(kept, "passage", "passages");
const ordinals = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" } as const;
const ordinalRules = new Intl.PluralRules("en", { type: "ordinal" });
/** "1st", "2nd". */
const nth = (place: number): string => `${place}${ordinals[ordinalRules.select(place)]}`;

/** Texts of answers with their sources, and of what a question is asked over. */
export const answerStrings = {
  nameDocument: "Name the document that holds it",
  forgetDocument: "Not this document",
  /** @param named how many of the passages the answer names by its marks */
  sources: (named: number, passages: number) => {
    const others = passages - named;
    const more = named === 0 ? "" : "more ";
    return [
      ...(named === 0 ? [] : [counted(named, "source", "sources")]),
      ...(others === 0 ? [] : [counted(others, `${more}passage that was read`, `${more}passages that were read`)]),
    ].join(", ");
  },
  page: (page: number) => `page ${count(page)}`,
  gone: "This document was deleted.",
  unnamed: "Document",
  sourceWord: "Source",
  searched: (documents: number, passages: number) =>
    `Searched ${counted(documents, "document", "documents")}, ${counted(passages, "passage", "passages")}`,
  kept: (number: number) => `kept ${count(number)}`,
  certainty: { sure: "sure", unsure: "not sure", none: "not in the documents" },
  madeFrom: {
    overview: (passages: number) => `Read ${counted(passages, "passage", "passages")} from its parts`,
    inventory: () => "From the list of documents",
    conversation: () => "From the answer before",
    courtesy: () => "No document was searched",
  },
  took: (search: number, answer: number, model: string | null) =>
    model === null ? duration(search) : `${duration(search)} + ${duration(answer)} ${model}`,
  quoted: "quoted",
  whyLabel: "Why this answer",
  why: {
    notKept:
      "How this answer came about is not kept: it was too long ago, a document that it used was deleted, or nothing is kept on this server.",
    notKeptInFull: "Only what came with the answer is known: the whole is not kept.",

    asked: "What was asked",
    question: "The question",
    understood: "Searched for",
    followUpLabel: "A follow-up",
    followUp: {
      model: "Put into full words by the model, from what was said before.",
      turns: "Searched with words of the questions before it.",
    },
    readAs: "Taken for",
    kinds: {
      question: "A question that passages of the documents may answer",
      overview: "A wish for a summary",
      inventory: "A question which documents there are",
      conversation: "A wish about the answer before",
      courtesy: "A greeting, thanks or a call for help",
    },
    over: "Asked over",
    searchedIn: "Searched",
    searched: (documents: number, passages: number) =>
      `${counted(passages, "passage", "passages")} of ${counted(documents, "document", "documents")}`,

    found: "What was found",
    order:
      "Passages are searched by the words of the question and by its meaning. Both results were put into one order, and the best were used:",
    taken: "These passages were taken, without a search:",
    beside: "stands beside one that was found",
    place: {
      text: (place: number) => `${nth(place)} by words`,
      vectors: (place: number) => `${nth(place)} by meaning`,
      model_vectors: (place: number) => `${nth(place)} by the model's meaning`,
    },
    legs: {
      text: (kept: number, hits: number) => `By words: ${found(kept, hits)}`,
      vectors: (kept: number, hits: number) => `By meaning: ${found(kept, hits)}`,
      model_vectors: (kept: number, hits: number) => `By meaning, with the configured model: ${found(kept, hits)}`,
    },
    legHints: {
      text: "Best first. The number grows with how many words of the question a passage has, and how rare they are.",
      vectors: "Best first. The number tells how near a passage is to what the question means: 1 is the same.",
      model_vectors: "Best first. The number tells how near a passage is to what the question means: 1 is the same.",
    },
    score: (score: number) => score.toLocaleString(undefined, { maximumFractionDigits: 2 }),
    usedAs: (mark: number) => `used as source ${count(mark)}`,
    notUsed: "not used",

    leftOut: "What was left out",
    nothingLeftOut: "Nothing that was found was left out.",
    dropped: {
      not_relevant: (number: number) => `${counted(number, "passage fits", "passages fit")} the question too little.`,
      duplicate: (number: number) => `${counted(number, "passage says", "passages say")} what a better one says.`,
      over_limit: (number: number) =>
        `${counted(number, "passage comes", "passages come")} after as many as were asked for.`,
      no_context_left: (number: number) =>
        `${counted(number, "passage", "passages")} did not fit into what the model can read at once.`,
    },

    certaintyLabel: "How sure it is",
    certainty: {
      sure: "Sure: what was found has the words of the question and the kind of thing that it asks for.",
      unsure: "Not sure: something near was found that may not be the answer.",
      none: "Nothing near was found, so the question was not answered.",
    },
    support: {
      supported: "The passages bear out what the model wrote.",
      partly: "The passages bear out only a part of what the model wrote.",
      unsupported: "The passages do not bear out what the model wrote.",
    },
    confidence: (share: number) =>
      `Where a search finds as much as this one, the documents hold an answer in ${cases(share)}. It does not say whether this answer is right.`,
    refusal: (share: number) =>
      `With the setting answers.refusalThreshold above ${share.toLocaleString(undefined, { maximumFractionDigits: 2 })} it would not be called sure.`,

    written: "Who wrote it",
    by: "Written by",
    byModel: (name: string, provider: string) => `${name} (${provider}), from the passages above`,
    quoted: "Carrel, in quotations of the passages, word for word; no model wrote it",
    byCarrel: "Carrel itself; no model wrote it",
    tokens: "The model",
    read: (used: number, limit: number) => `read ${count(used)} of the ${count(limit)} tokens that fit`,
    wrote: (tokens: number) => `wrote ${count(tokens)}`,
    time: "Time",
    times: (search: number, answer: number, total: number) =>
      `${duration(search)} to search, ${duration(answer)} to write, ${duration(total)} in all`,
    prompt: "What the model was given, word for word",
    roles: { system: "Instructions", user: "Question", assistant: "Answer before" },
    warnings: "Note",
  },
  scope: "Scope",
  everything: "Everything",
  ownPartition: "Your partition",
  partition: "A partition",
  inPartition: (name: string) => `Partition ${name}`,
  document: "A document",
  inDocument: (name: string) => name,
  metadata: "Only documents with this metadata",
  key: "Key",
  operator: "Comparison",
  value: "Value",
  addCondition: "Add a condition",
  removeCondition: "Remove the condition",
  choosePartition: "Partition",
  chooseNone: "Choose one",
  searchDocument: "Document's name",
  noSuchDocument: "No document has this in its name.",
};
