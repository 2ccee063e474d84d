import type { Retrieval, RetrievalRequest } from "../../retrieval/contract.ts";
import { analyzeQuery } from "../../text/analysis/analyze.ts";
import { noneBorder } from "./certainty.ts";
import type { Gathering } from "./gathering.ts";
import { alsoTranslated } from "./other-language.ts";

/** From this measure of the gate on a reading is taken for the one that is meant. */
export const likelyAnswered = 0.8;
/** Readings of a question that are searched for one after another, at most. */
export const maxReadings = 5;

/** "And how much is it?" goes on with the question before it, whose words decide whether anything is near. */
const maxWordsOfRest = 1;

/** Characters of what is told around a question that are searched for. */
const maxWhole = 1_500;

/**
 * The question as a whole; where that is not sure and it has several sentences, each by itself, at last with what is told
 * around it ("my robot blinks F1 … what am I supposed to do?"), and the surest counts.
 */
export const retrieveReadings = async (gathering: Gathering): Promise<Retrieval> => {
  const { deps, tenant, question, ask, signal } = gathering;
  const found = await inOwnWords(gathering);
  if (!question.wantsAnswer) return found;
  const search = (query: string): Promise<Retrieval> => deps.retrieve(tenant, { ...question, query }, signal);
  return await alsoTranslated(deps, ask.question, found, search, signal);
};

const inOwnWords = async ({ deps, tenant, question, ask, signal }: Gathering): Promise<Retrieval> => {
  const { readings, whole: story } = ask;
  const isNone = ({ refusedAbove }: Retrieval): boolean =>
    refusedAbove < noneBorder(deps.config.answers.refusalThreshold);
  const request = (query: string): RetrievalRequest => ({ ...question, query });
  const whole = await deps.retrieve(tenant, request(ask.question), signal);
  const before = question.history.findLast(({ role }) => role === "user");
  if (before !== undefined && isNone(whole) && analyzeQuery(ask.question).words.length <= maxWordsOfRest) {
    const query = `${before.text.slice(0, maxWhole)} ${ask.question}`;
    const both = await deps.retrieve(tenant, { ...question, history: [], query }, signal);
    return isNone(both) ? whole : { ...both, query: whole.query };
  }
  if (whole.refusedAbove >= likelyAnswered || (readings.length < 2 && story === null)) return whole;
  let best = whole;
  const others = [...readings.slice(1, 1 + maxReadings), ...(story === null ? [] : [story.slice(-maxWhole)])];
  for (const reading of others) {
    const read = await deps.retrieve(tenant, request(reading), signal);
    if (read.refusedAbove > best.refusedAbove) best = read;
    if (best.refusedAbove >= likelyAnswered) break;
  }
  return best;
};
