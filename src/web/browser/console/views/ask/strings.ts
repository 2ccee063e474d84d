const count = (number: number): string => number.toLocaleString();
const counted = (number: number, one: string, many: string): string => `${count(number)} ${number === 1 ? one : many}`;
const duration = (ms: number): string =>
  ms < 1_000
    ? `${Math.max(1, Math.round(ms))} ms`
    : `${(ms / 1_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;

/** Texts of the ask view, and of answers with their sources in any view. */
export const askStrings = {
  title: "Ask",
  question: "Your question",
  placeholder: "Ask the documents",
  ask: "Ask",
  stop: "Stop",
  askAgain: "Ask again",
  copyAnswer: "Copy the answer",
  earlier: "Earlier questions",
  start: "Ask in your own words. The answer names the passages that it comes from.",
  examples: {
    label: "For example",
    summarize: (name: string) => `Summarize ${name}`,
    inventory: "Which documents are there?",
    about: (name: string) => `What is ${name} about?`,
  },
  noDocuments: "There is nothing to ask yet",
  noDocumentsHint: "Add a document first: it can be asked as soon as it is read.",
  addDocuments: "Add documents",

  searching: "Searching the documents …",
  writing: "Writing the answer …",
  isWhole: "The answer is complete.",
  waiting: "The server cannot be reached. The question is asked again as soon as it is back.",
  lost: "The connection was lost while the answer was written. What arrived is kept.",
  back: "The server is back. What had arrived of the answer is kept; ask again for the whole of it.",
  stopped: "You stopped this answer.",

  answer: "Answer",
  sources: (number: number) => counted(number, "source", "sources"),
  page: (page: number) => `page ${count(page)}`,
  gone: "This document was deleted.",
  unnamed: "Document",
  sourceWord: "Source",

  notFound: "Your documents do not seem to hold this",
  nearest: "Nearest, but no answer",
  tryThis: "What to try",
  tryWords: "Ask with words that the document itself may use.",
  tryQuotes: "Put an exact term, a name or a number into quotation marks.",
  tryScope: "Ask over everything: this question was limited.",
  tryNarrow: "Choose the document that should hold it as the scope.",

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
  why: "Why this answer",
  understood: "Understood as",
  followUp: {
    model: "a follow-up, put into full words by the model",
    turns: "a follow-up, searched with words of the questions before it",
  },
  over: "Searched in",
  byText: "Found by words",
  byMeaning: "Found by meaning",
  passages: (number: number) => counted(number, "passage", "passages"),
  keptLabel: "Kept",
  dropped: "Dropped",
  droppedNone: "none",
  reasons: {
    not_relevant: "do not fit the question well enough",
    duplicate: "say what a better one says",
    over_limit: "beyond the number of passages asked for",
    no_context_left: "did not fit into the model's context",
  },
  confidence: "The search",
  confidenceHint: (share: number) =>
    `Where a search finds as much as this one, the documents hold an answer in about ${Math.round(share * 100)} of 100 cases. It does not say whether this answer is right.`,
  refusal: (share: number) =>
    `Refused where answers.refusalThreshold is above ${share.toLocaleString(undefined, { maximumFractionDigits: 2 })}.`,
  context: "Read by the model",
  contextUsed: (used: number, limit: number) => `${count(used)} of ${count(limit)} tokens`,
  model: "Written by",
  builtin: "the built-in answerer, which quotes",
  times: "Time",
  timesOf: (search: number, answer: number, total: number) =>
    `${duration(search)} for the search, ${duration(answer)} for the answer, ${duration(total)} in all`,

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
  close: "Close",

  prompt: "Prompt",
  promptTitle: "What the model gets",
  promptField: "Your own prompt",
  promptHint:
    "{contextText} becomes the passages, {query} the question. Empty: Carrel's own prompt. The built-in answerer quotes and follows no prompt.",
  passagesField: "Passages at most",
  preview: "As the model would get it",
  previewOf: (question: string) => `For the question “${question}”.`,
  previewEmpty: "Without a question: the placeholders stand for what will be put in.",
  previewHint:
    "Column names of tables are added to passages out of them, and what does not fit the model's context is left out, last passages first. The receipt of the answer tells.",
  previewRefused: "No passage fits this question: no model is called.",
  system: "System",
  user: "User",
  reset: "Use Carrel's own prompt",
  done: "Done",
};
