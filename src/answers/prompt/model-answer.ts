import { type ChatModel, ProviderError } from "../../../providers/contract.ts";
import { createYielder } from "../../async/yield.ts";
import { slicesOf } from "../../text/slices.ts";
import { createAddedMarks } from "../marks/added-marks.ts";
import { markWarnings } from "../marks/checked-marks.ts";
import { createCitationFilter } from "../marks/citation-filter.ts";
import { createSourceCheck, type Source } from "../marks/source-check.ts";
import { type JudgedSupport, judgeSupport } from "../marks/support.ts";
import type { FittedPrompt } from "./budget.ts";
import { createRepetitionGuard } from "./repetition.ts";

/** More than any sensible `maxOutputTokens`: stops servers that ignore that setting. */
const maxAnswerCharacters = 1_000_000;
/** Checked at a time: a long answer may come in one piece, and each mark costs up to a millisecond. */
const pieceCharacters = 250;

export interface ModelAnswer {
  text: string;
  /** Tokens of the prompt as the server counted them, else as they were estimated. */
  promptTokens: number;
  /** For the receipt: the answer or the prompt was cut, marks were removed, another model answered. */
  warnings: string[];
  support: JudgedSupport["support"];
  /** Quotations must follow: see `judgeSupport`. */
  isDoubtful: boolean;
  /** As the server counted them; null if it did not. */
  outputTokens: number | null;
  /** It ends where the longest output was reached. */
  isCut: boolean;
}

/** For a writing that is left before its end. */
export const nothingWritten: ModelAnswer = {
  text: "",
  promptTokens: 0,
  warnings: [],
  support: null,
  isDoubtful: false,
  outputTokens: null,
  isCut: false,
};

export interface AnswerOptions {
  /** What the marks may point to, as the model was shown it. */
  sources: readonly Source[];
  /** What is answered, and the day that the model was told. */
  question: string;
  today: string;
  /** False: the model was shown no sources, so nothing is claimed of them. */
  seesSources: boolean;
  /** The prompt asked for marks, so an answer without any is worth a warning. */
  expectMarks: boolean;
  maxOutputTokens?: number;
}

/**
 * Lets the model answer. Yields the answer in pieces whose marks are checked; returns all of it. One that repeats itself is
 * stopped.
 * @throws ProviderError
 */
export async function* writeAnswer(
  model: ChatModel,
  prompt: FittedPrompt,
  options: AnswerOptions,
  signal: AbortSignal,
): AsyncGenerator<string, ModelAnswer, undefined> {
  const { sources, question, seesSources } = options;
  const check = createSourceCheck(sources, question);
  const guard = createRepetitionGuard();
  const filter = createCitationFilter(sources, check);
  const addedMarks = seesSources ? createAddedMarks(check) : null;
  const checked = (piece: string): string => {
    const marked = filter.push(guard.push(piece));
    return addedMarks === null ? marked : addedMarks.push(marked);
  };
  let written = 0;
  let hasWords = false;
  let text = "";
  let promptTokens = prompt.usedTokens;
  let outputTokens: number | null = null;
  let isCut = false;
  const warnings: string[] = [];
  const yieldTurn = createYielder(signal);
  const { maxOutputTokens } = options;
  const asked = maxOutputTokens === undefined ? undefined : { maxOutputTokens };
  for await (const event of model.chat(prompt.turns, signal, asked)) {
    if (event.type === "delta") {
      for (const piece of slicesOf(event.text, pieceCharacters)) {
        const settled = checked(piece);
        written += piece.length;
        hasWords ||= piece.trim() !== "";
        await yieldTurn();
        text += settled;
        if (settled !== "") yield settled;
        if (guard.isStopped) break;
      }
      if (guard.isStopped) break;
      if (written <= maxAnswerCharacters) continue;
      warnings.push(`The answer was cut: the model wrote more than ${maxAnswerCharacters} characters.`);
      break;
    }
    promptTokens = event.promptTokens ?? promptTokens;
    outputTokens = event.outputTokens;
    isCut = event.finishReason === "length";
    if (event.isPromptCut === true) {
      warnings.push(
        `The model's server cut the prompt to its context of ${promptTokens} tokens: the answer may lack what the sources or the earlier messages say.`,
      );
    }
    if (event.finishReason === "length") {
      warnings.push(
        maxOutputTokens === undefined
          ? "The answer was cut: it reached models.answer.maxOutputTokens or the end of the model's context."
          : `The answer was cut: it reached the ${maxOutputTokens} tokens asked for, or the end of the model's context.`,
      );
    } else if (event.finishReason === "filtered") {
      warnings.push("The answer was cut: the model's server stopped it (content filter).");
    } else if (!hasWords) {
      throw new ProviderError(
        "answer",
        "bad_answer",
        `Model "${model.model}" of ${model.provider} gave an empty answer.`,
      );
    }
    if (event.model !== null && !isSameModel(model.model, event.model)) {
      warnings.push(`Model "${event.model}" answered, not "${model.model}", which was requested.`);
    }
  }
  const last = filter.push(guard.end()) + filter.end();
  const rest = addedMarks === null ? last : addedMarks.push(last) + addedMarks.end();
  if (rest !== "") {
    text += rest;
    yield rest;
  }
  if (guard.isStopped) warnings.push("The answer was stopped: the model said the same again and again.");
  const judged = judgeSupport(text, check, {
    question,
    today: options.today,
    sources: seesSources ? sources.length : 0,
    isStopped: guard.isStopped,
  });
  const marked = addedMarks?.added ?? [];
  warnings.push(...markWarnings(filter.report, options.expectMarks && marked.length === 0));
  return { text, promptTokens, warnings, support: judged.support, isDoubtful: judged.isDoubtful, outputTokens, isCut };
}

/** Servers add a tag, a date, a folder or a file extension to a model's name: it is the same model. */
const isSameModel = (asked: string, answered: string): boolean => bareName(asked) === bareName(answered);

const bareName = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? name)
    .toLowerCase()
    .replace(/:latest$/, "")
    .replace(/\.gguf$/, "")
    .replace(/-\d{4}-?\d{2}-?\d{2}$/, "");
