/** The thread that analyses texts, long ones beside short ones. Started by analysis-thread.ts. */
import { type Stretches, stretchesIn } from "../../async/threads/stretches.ts";
import { type AnalysedChunk, type AnalysedText, analyseText, isShort } from "./analysed-text.ts";
import type { AnalyseRequest, FromAnalysis, ToAnalysis } from "./analysis-messages.ts";

declare const self: { onmessage: ((event: { data: readonly ToAnalysis[] }) => void) | null };

/** Answers go together where little time lies between them: waking the other thread costs more than a small text. */
const answerEveryMs = 3;

/** A request with its number. */
type Waiting = AnalyseRequest & { id: number };

let stretches: Stretches | null = null;
const underWay = new Map<number, AbortController>();
/** Each in the order of their coming. */
const waiting: Record<"urgent" | "patient", Waiting[]> = { urgent: [], patient: [] };
let isAnalysing = false;
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

const analyse = async ({ id, texts }: Waiting): Promise<void> => {
  const abort = new AbortController();
  underWay.set(id, abort);
  try {
    const analysed: AnalysedText[] = [];
    const onResume = () => stretches?.begin(id);
    for (const [at, text] of texts.entries()) {
      onResume();
      const onChunks = (chunks: AnalysedChunk[]) => postMessage([{ id, part: { text: at, chunks } }]);
      analysed.push(await analyseText(text, abort.signal, { onResume, onChunks }));
    }
    answers.push({ id, answer: analysed });
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
const analyseWaiting = async (): Promise<void> => {
  isAnalysing = true;
  for (;;) {
    const next = waiting.urgent.shift() ?? waiting.patient.shift();
    if (next === undefined) break;
    const analysed = analyse(next);
    const areShort = next.texts.every(({ text }) => isShort(text));
    if (areShort) await analysed;
    // Messages come in meanwhile: what is urgent waits for a few short texts, or for a stretch of a long one.
    if (!areShort || !next.isUrgent) await new Promise((resolve) => setImmediate(resolve));
  }
  isAnalysing = false;
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
  if (!isAnalysing) void analyseWaiting();
};
