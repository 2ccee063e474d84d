import type { ChatTurn } from "../../../providers/contract.ts";
import { withoutMarks } from "../marks/citation-filter.ts";
import type { Question } from "../reading/question.ts";
import { isNoAnswer } from "../wording/no-answer.ts";

/** A question and its answer. */
export type Exchange = [ChatTurn, ChatTurn];

/**
 * The conversation as a model is shown it: whole pairs, the user first, for the templates of some models take nothing else.
 * Questions that got no answer, or were refused, tell it nothing. The marks of answers are left out, because they point to
 * other sources.
 * @param keepsLastMarks the last answer is asked about, and has the sources that are shown
 */
export const exchangesOf = (history: Question["history"], keepsLastMarks: boolean): Exchange[] => {
  const exchanges: Exchange[] = [];
  for (const [at, { role, text }] of history.entries()) {
    const asked = history[at - 1];
    if (role !== "assistant" || asked?.role !== "user") continue;
    if (text.trim() === "" || asked.text.trim() === "" || isRefused(text)) continue;
    const content = keepsLastMarks && at === history.length - 1 ? text : withoutMarks(text);
    exchanges.push([
      { role: "user", content: asked.text },
      { role: "assistant", content },
    ]);
  }
  return exchanges;
};

/** What has a mark says something of the documents. */
const isRefused = (text: string): boolean => withoutMarks(text) === text && isNoAnswer(text);
