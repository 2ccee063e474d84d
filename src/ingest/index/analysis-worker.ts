/** The thread that analyzes texts, long ones beside short ones. Started by analysis-thread.ts. */
import { type Stretches, stretchesIn } from "../../async/threads/stretches.ts";
import { type AnalyzedChunk, type AnalyzedText, analyzeText, isShort } from "./analyzed-text.ts";
import type { AnalyzeRequest, FromAnalysis, ToAnalysis } from "./analysis-messages.ts";

declare const self: { onmessage: ((event: { data: readonly ToAnalysis[] }) => void) | null };

/** Answers go together where little time lies between them: waking the other thread costs more than a small text. */
const answerEveryMs = 3;

/** A request with its number. */
type Waiting = AnalyzeRequest & { id: number };

let stretches: Stretches | null = null;
const underWay = new Map<number, AbortController>();
/** Each in the order of their coming. */
const waiting: Record<"urgent" | "patient", Waiting[]> = { urgent: [], patient: [] };
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

const analyze = async ({ id, texts }: Waiting): Promise<void> => {
  const abort = new AbortController();
  underWay.set(id, abort);
  try {
    const analyzed: AnalyzedText[] = [];
    const onResume = () => stretches?.begin(id);
    for (const [at, text] of texts.entries()) {
      onResume();
      const onChunks = (chunks: AnalyzedChunk[]) => postMessage([{ id, part: { text: at, chunks } }]);
      analyzed.push(await analyzeText(text, abort.signal, { onResume, onChunks }));
    }
    answers.push({ id, answer: analyzed });
  } catch (error) {
    if (!abort.signal.aborted) answers.push({ id, failed: error instanceof Error ? error.message : String(error) });
  } finally {
    underWay.delete(id);
    stretches?.end();
  }
  if (performance.now() - answeredAt >= answerEveryMs) sendAnswers();
  else if (!isSendScheduled) {
    isSendScheduled = true;
    setImmediate(sendAnswers);
  }
};

/** One after another, but none waits for a long text for more than a stretch. */
const analyzeWaiting = async (): Promise<void> => {
  isAnalyzing = true;
  for (;;) {
    const next = waiting.urgent.shift() ?? waiting.patient.shift();
    if (next === undefined) break;
    const analyzed = analyze(next);
    const areShort = next.texts.every(({ text }) => isShort(text));
    if (areShort) await analyzed;
    // Messages come in meanwhile: what is urgent waits for a few short texts, or for a stretch of a long one.
    if (!areShort || !next.isUrgent) await new Promise((resolve) => setImmediate(resolve));
  }
  isAnalyzing = false;
};

const dropWaiting = (dropped: number): void => {
  waiting.urgent = waiting.urgent.filter(({ id }) => id !== dropped);
  waiting.patient = waiting.patient.filter(({ id }) => id !== dropped);
};

self.onmessage = ({ data }) => {
  for (const message of data) {
    if (message.type === "watch") stretches = stretchesIn(message.memory);
    else if (message.type === "ask")
      waiting[message.request.isUrgent ? "urgent" : "patient"].push({ ...message.request, id: message.id });
    else if (underWay.has(message.id)) underWay.get(message.id)?.abort();
    else dropWaiting(message.id);
  }
  if (!isAnalyzing) void analyzeWaiting();
};
