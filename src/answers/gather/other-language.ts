import type { Config } from "../../../config/schema.ts";
import type { ChatModel, ChatTurn } from "../../../providers/contract.ts";
import { failureWarning, type Warning } from "../../models/warning.ts";
import type { Retrieval } from "../../retrieval/contract.ts";
import { isPaused, sideCall } from "../follow-up/side-call.ts";
import { languageOf, mayBeSameLanguage } from "../marks/text-language.ts";
import { guessLanguage } from "../wording/question-language.ts";

export interface TranslatingDependencies {
  config: Pick<Config, "models">;
  /** Null: nothing is translated. */
  answerModel: ChatModel | null;
}

/** From this measure of the gate on, what was found in the question's own words is good enough. */
const isFound = 0.5;
/** Texts of the documents that tell their language, and longest question that is translated. */
const textsRead = 3;
const maxQuestionCharacters = 1_000;
/** A translation may be so much longer. */
const maxGrowth = 3;

/**
 * What is found for a question in another language than the documents: where hardly anything is near, and the nearest texts
 * are in another language, it is searched for again as a model translates it. The better of both counts.
 * @param found what was found in the question's own words
 * @param search the same search for other words
 */
export const alsoTranslated = async (
  { config, answerModel }: TranslatingDependencies,
  question: string,
  found: Retrieval,
  search: (query: string) => Promise<Retrieval>,
  signal: AbortSignal,
): Promise<Retrieval> => {
  const language = answerModel === null || found.refusedAbove >= isFound ? null : otherLanguage(question, found);
  if (answerModel === null || language === null || isPaused(config.models, "translating")) return found;
  const turns: ChatTurn[] = [
    {
      role: "system",
      content: `Translate the text into ${language}. Keep names, numbers and what stands in quotation marks. Do not answer it. Write the translation alone, on one line.`,
    },
    { role: "user", content: question },
  ];
  const fits = (room: (turns: readonly ChatTurn[]) => boolean) => (room(turns) ? turns : null);
  const { text, fault } = await sideCall(answerModel, "translating", fits, config.models, signal);
  const translated = fault === null ? firstLine(text) : "";
  const isUsable =
    translated !== "" &&
    translated.length <= maxGrowth * question.length + 40 &&
    mayBeSameLanguage(languageOf(translated), languageOf(textOf(found)));
  if (!isUsable) {
    const failed = `The question was not searched for in ${language}: asked to translate it, the model failed`;
    const warning: Warning =
      typeof fault === "object" && fault !== null
        ? failureWarning(failed, fault)
        : `${failed} (${fault ?? "it wrote something else"}).`;
    return { ...found, warnings: [...found.warnings, warning] };
  }
  const again = await search(translated);
  return again.refusedAbove > found.refusedAbove ? again : found;
};

const textOf = ({ nearest }: Retrieval): string =>
  nearest
    .slice(0, textsRead)
    .map(({ text }) => text)
    .join("\n");

/** The language of the nearest texts, where it is known to be another one than the question's; else null. */
const otherLanguage = (question: string, found: Retrieval): string | null => {
  const text = textOf(found);
  if (text === "" || question.length > maxQuestionCharacters) return null;
  if (mayBeSameLanguage(languageOf(question), languageOf(text))) return null;
  const { best } = guessLanguage(text);
  if (best === null) return null;
  return best === "chineseTraditional" ? "Traditional Chinese" : best.replace(/^./, (first) => first.toUpperCase());
};

const firstLine = (text: string): string =>
  (
    text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .find((line) => line !== "" && !/[:：]$/.test(line)) ?? ""
  ).replace(/^["“„«「](.*)["”“»」]$/u, "$1");
