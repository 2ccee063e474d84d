import type { ChatModel } from "../../providers/contract.ts";
import { ProviderError } from "../../providers/contract.ts";
import { createBreather } from "../async/breathe.ts";
import { slicesOf } from "../text/slices.ts";
import { createCitationFilter } from "./marks/citation-filter.ts";
import { markWarnings } from "./marks/mark-warnings.ts";
import type { Source } from "./marks/source-check.ts";
import type { FittedPrompt } from "./prompt/budget.ts";

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
}

/**
 * Lets the model answer. Yields the answer in pieces whose marks are checked; returns all of it.
 * @param sources what the marks may point to, as the model was shown it
 * @param expectMarks the prompt asked for marks, so an answer without any is worth a warning
 * @throws ProviderError
 */
export async function* writeAnswer(
  model: ChatModel,
  prompt: FittedPrompt,
  options: { sources: readonly Source[]; expectMarks: boolean; maxOutputTokens?: number },
  signal: AbortSignal,
): AsyncGenerator<string, ModelAnswer, undefined> {
  const filter = createCitationFilter(options.sources);
  let text = "";
  let promptTokens = prompt.usedTokens;
  const warnings: string[] = [];
  const breathe = createBreather(signal);
  const { maxOutputTokens } = options;
  const asked = maxOutputTokens === undefined ? undefined : { maxOutputTokens };
  for await (const event of model.chat(prompt.turns, signal, asked)) {
    if (event.type === "delta") {
      for (const piece of slicesOf(event.text, pieceCharacters)) {
        const settled = filter.push(piece);
        await breathe();
        if (settled === "") continue;
        text += settled;
        yield settled;
      }
      if (text.length <= maxAnswerCharacters) continue;
      warnings.push(`The answer was cut: the model wrote more than ${maxAnswerCharacters} characters.`);
      break;
    }
    promptTokens = event.promptTokens ?? promptTokens;
    if (event.isPromptCut === true) {
      warnings.push(
        `The model's server cut the prompt to its context of ${promptTokens} tokens: the answer may lack what the sources or the earlier messages say.`,
      );
    }
    if (event.finishReason === "length") {
      warnings.push("The answer was cut: it reached models.answer.maxOutputTokens or the end of the model's context.");
    } else if (event.finishReason === "filtered") {
      warnings.push("The answer was cut: the model's server stopped it (content filter).");
    } else if (text === "" && filter.isEmpty()) {
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
  const rest = filter.end();
  if (rest !== "") {
    text += rest;
    yield rest;
  }
  warnings.push(...markWarnings(filter.report, options.expectMarks));
  return { text, promptTokens, warnings };
}

/** Servers add a tag, a date, a folder or a file extension to a model's name: it is the same model. */
const isSameModel = (asked: string, answered: string): boolean => bareName(asked) === bareName(answered);

const bareName = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? name)
    .toLowerCase()
    .replace(/:latest$/, "")
    .replace(/\.gguf$/, "")
    .replace(/-\d{4}-?\d{2}-?\d{2}$/, "");
