import type { ChatModel } from "../../providers/contract.ts";
import { ProviderError } from "../../providers/contract.ts";
import { createCitationFilter } from "./citations.ts";
import type { FittedPrompt } from "./prompt/budget.ts";

/** More than any sensible `maxOutputTokens`: stops servers that ignore that setting. */
const maxAnswerCharacters = 1_000_000;

export interface ModelAnswer {
  text: string;
  /** Tokens of the prompt as the server counted them, else as they were estimated. */
  promptTokens: number;
  /** For the receipt: the answer was cut, marks were removed, another model answered. */
  warnings: string[];
}

/**
 * Lets the model answer. Yields the answer in pieces whose marks are checked; returns all of it.
 * @param snippets how many snippets the marks may point to
 * @param expectMarks the prompt asked for marks, so an answer without any is worth a warning
 * @throws ProviderError
 */
export async function* writeAnswer(
  model: ChatModel,
  prompt: FittedPrompt,
  options: { snippets: number; expectMarks: boolean; maxOutputTokens?: number },
  signal: AbortSignal,
): AsyncGenerator<string, ModelAnswer, undefined> {
  const filter = createCitationFilter(options.snippets);
  let text = "";
  let promptTokens = prompt.usedTokens;
  const warnings: string[] = [];
  const { maxOutputTokens } = options;
  const asked = maxOutputTokens === undefined ? undefined : { maxOutputTokens };
  for await (const event of model.chat(prompt.turns, signal, asked)) {
    if (event.type === "delta") {
      const settled = filter.push(event.text);
      if (settled === "") continue;
      text += settled;
      yield settled;
      if (text.length <= maxAnswerCharacters) continue;
      warnings.push(`The answer was cut: the model wrote more than ${maxAnswerCharacters} characters.`);
      break;
    }
    promptTokens = event.promptTokens ?? promptTokens;
    if (event.finishReason === "length") {
      warnings.push("The answer was cut: it reached models.answer.maxOutputTokens or the end of the model's context.");
    } else if (event.finishReason === "filtered") {
      warnings.push("The answer was cut: the model's server took exception to it (content filter).");
    } else if (text === "" && filter.isEmpty()) {
      throw new ProviderError(
        "answer",
        "bad_answer",
        `Model "${model.model}" of ${model.provider} gave an empty answer.`,
      );
    }
    if (event.model !== null && !isSameModel(model.model, event.model)) {
      warnings.push(`Model "${event.model}" answered, not "${model.model}", which is the one asked for.`);
    }
  }
  const rest = filter.end();
  if (rest !== "") {
    text += rest;
    yield rest;
  }
  if (filter.dropped > 0) {
    const marks = filter.dropped === 1 ? "1 mark in the answer" : `${filter.dropped} marks in the answer`;
    warnings.push(`${marks} pointed to no snippet and ${filter.dropped === 1 ? "was" : "were"} taken out.`);
  } else if (options.expectMarks && filter.cited.size === 0) {
    warnings.push("The model marked no sources: check the answer against the snippets.");
  }
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
