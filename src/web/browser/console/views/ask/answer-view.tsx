import { useSignal } from "@preact/signals";
import { RotateCcw } from "lucide";
import { useLocation } from "preact-iso";
import { doubtOf } from "../../../../../answers/doubt.ts";
import { AnswerText, DoubtNote } from "../../../shared/answer-text.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { FailureNote } from "../../components/failure-note.tsx";
import { Icon } from "../../components/icon.tsx";
import { RateThis } from "./components/rate-answer.tsx";
import { ReceiptLine } from "./components/receipt-line.tsx";
import { citedIn, passageLink, SourceCards, sourcesWords } from "./components/source-cards.tsx";
import { useScrollToEnd } from "./components/use-scroll-to-end.ts";
import { NotFound } from "./not-found.tsx";
import type { AskState } from "./state/ask-state.ts";
import { type Asked, isRefusal, isRunning } from "./state/asked.ts";
import { askStrings as words } from "./strings.ts";

/** What is said while there is no answer, or of one that is not whole. */
const noticeOf = ({ phase, text }: Asked): string => {
  if (phase === "searching") return words.searching;
  if (phase === "writing") return text === "" ? words.writing : "";
  if (phase === "waiting" || phase === "lost" || phase === "back" || phase === "stopped") return words[phase];
  return "";
};

/** An answer with its sources at the side, joined by their marks. */
export const AnswerView = ({ asked, state }: { asked: Asked; state: AskState }) => {
  const { route } = useLocation();
  const pointed = useSignal<number | null>(null);
  useScrollToEnd(asked.text);
  const { passages, text, phase, receipt } = asked;
  const runs = isRunning(asked);
  const isNotFound = phase === "whole" && isRefusal(receipt);
  const open = (number: number): void => {
    const passage = passages[number - 1];
    if (passage !== undefined) route(passageLink(passage, citedIn(passage, number, text)));
  };
  const point = (number: number | null): void => {
    pointed.value = number;
  };
  return (
    <div class={runs ? "asked running" : "asked"}>
      <article class="answer" aria-busy={runs} aria-label={words.answer}>
        <h2 class="asked-question" dir="auto">
          {asked.question}
        </h2>
        <p class="answer-notice quiet" role="status">
          {noticeOf(asked)}
          {phase === "whole" && <span class="unseen">{words.isWhole}</span>}
        </p>
        {isNotFound ? (
          <NotFound asked={asked} names={state.names} />
        ) : (
          <AnswerText text={text} sources={passages.length} onSource={open} onPoint={point} pointed={pointed.value} />
        )}
        {receipt !== null && <DoubtNote doubt={doubtOf(receipt)} />}
        <FailureNote error={asked.failure} />
        {!runs && (
          <div class="actions">
            {text !== "" && !isNotFound && <CopyButton text={text} label={words.copyAnswer} />}
            <button type="button" onClick={() => state.ask(asked.question, asked.scope)}>
              <Icon icon={RotateCcw} />
              {words.askAgain}
            </button>
            {receipt !== null && (
              <RateThis
                answer={{ receiptId: receipt.id }}
                given={asked.feedback}
                onChange={(feedback) => state.rated(asked.id, feedback)}
                names={state.names}
              />
            )}
          </div>
        )}
        {receipt !== null && <ReceiptLine id={receipt.id} receipt={receipt} passages={passages} names={state.names} />}
      </article>
      {passages.length > 0 && (
        <aside class="answer-sources" aria-label={sourcesWords(passages, text)}>
          <h3>{sourcesWords(passages, text)}</h3>
          <SourceCards passages={passages} names={state.names} answer={text} pointed={pointed.value} onPoint={point} />
        </aside>
      )}
    </div>
  );
};
