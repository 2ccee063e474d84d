/** The thread that analyzes texts, long ones in turn with short ones. Started by analysis-thread.ts. */

import { openTextVectors } from "../../../providers/builtin/static/text-vectors.ts";
import { type Slices, slicesIn } from "../../async/threads/serve-requests.ts";
import { nextSlice, nextTurn } from "../../async/yield.ts";
import { messageOf } from "../../domain/errors.ts";
import type { AnalyzeRequest, FromAnalysis, ToAnalysis } from "./analysis-thread.ts";
import { type AnalyzedChunk, type AnalyzedText, analyzeText, isSmallText, type Urgency } from "./analyzed-text.ts";

declare const self: { onmessage: ((event: { data: readonly ToAnalysis[] }) => void) | null };

/** Answers are collected for this long: waking the other thread costs more than analyzing a small text. */
const answerEveryMs = 3;

/** A request with its number. */
type Waiting = AnalyzeRequest & { id: number };

let slices: Slices | null = null;
const underWay = new Map<number, AbortController>();
/** Each list is in the order of arrival. */
const waiting: Record<Urgency, Waiting[]> = { interactive: [], background: [] };
let isAnalyzing = false;
let answers: FromAnalysis[] = [];
let answeredAt = performance.now();
let isSendScheduled = false;

const sendAnswers = (): void => {
  isSendScheduled = false;
  if (answers.length === 0) return;
  postMessage(answers);
  answers = [];
  answeredAt = performance.now();
};

/** There is one table in a program, which the first request that wants vectors brings. */
let textVectors: ReturnType<typeof openTextVectors> | null = null;

const openVectors = (table: SharedArrayBuffer): ReturnType<typeof openTextVectors> => {
  textVectors ??= openTextVectors(table);
  return textVectors;
};

/** @param areSmall whether the texts are analyzed at once; a long one first waits for its turn */
const analyze = async ({ id, texts, table }: Waiting, areSmall: boolean): Promise<void> => {
  const abort = new AbortController();
  underWay.set(id, abort);
  try {
    if (!areSmall) await nextSlice();
    abort.signal.throwIfAborted();
    const analyzed: AnalyzedText[] = [];
    const vectorOf = table === null ? undefined : await openVectors(table);
    const onResume = () => slices?.begin(id);
    for (const [at, text] of texts.entries()) {
      onResume();
      const onChunks = (chunks: AnalyzedChunk[]) => postMessage([{ id, part: { text: at, chunks } }]);
      analyzed.push(await analyzeText(text, abort.signal, { vectorOf, onResume, onChunks }));
    }
    answers.push({ id, answer: analyzed });
  } catch (error) {
    if (!abort.signal.aborted) answers.push({ id, failed: messageOf(error) });
  } finally {
    underWay.delete(id);
    slices?.end();
  }
  if (performance.now() - answeredAt >= answerEveryMs) sendAnswers();
  else if (!isSendScheduled) {
    isSendScheduled = true;
    setImmediate(sendAnswers);
  }
};

/** Analyzes one text after another, but none waits longer than one slice for all long texts. */
const analyzeWaiting = async (): Promise<void> => {
  isAnalyzing = true;
  for (;;) {
    const next = waiting.interactive.shift() ?? waiting.background.shift();
    if (next === undefined) break;
    const areSmall = next.texts.every(({ text }) => isSmallText(text));
    const analyzed = analyze(next, areSmall);
    if (!areSmall) continue;
    await analyzed;
    // Messages arrive meanwhile: interactive texts wait for a few small texts.
    if (next.urgency === "background") await nextTurn();
  }
  isAnalyzing = false;
};

const dropWaiting = (dropped: number): void => {
  waiting.interactive = waiting.interactive.filter(({ id }) => id !== dropped);
  waiting.background = waiting.background.filter(({ id }) => id !== dropped);
};

self.onmessage = ({ data }) => {
  for (const message of data) {
    if (message.type === "watch") slices = slicesIn(message.memory);
    else if (message.type === "ask") waiting[message.request.urgency].push({ ...message.request, id: message.id });
    else if (underWay.has(message.id)) underWay.get(message.id)?.abort();
    else dropWaiting(message.id);
  }
  if (!isAnalyzing) void analyzeWaiting();
};
