import { useSignal } from "@preact/signals";
import { RotateCcw } from "lucide";
import { useLocation } from "preact-iso";
import { doubtOf } from "../../../../../answers/doubt.ts";
import { AnswerText, DoubtNote } from "../../../shared/answer-text.tsx";
import { Icon } from "../../../shared/controls.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { FailureNote } from "../../components/notes.tsx";
import { useScrollToEnd } from "../answers/answer-stream.ts";
import type { DocumentNames } from "../answers/document-names.ts";
import { RateThis } from "../answers/rate-answer.tsx";
import { ReceiptLine } from "../answers/receipt.tsx";
import { isEverything } from "../answers/scope.ts";
import { citedIn, passageLink, SourceCards, sourcesWords } from "../answers/source-cards.tsx";
import { type Asked, type AskState, isRefusal, isRunning } from "./ask-state.ts";
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

/** What is shown where the documents do not hold the answer: the server's words, what comes near, what to try. */
const NotFound = ({ asked, names }: { asked: Asked; names: DocumentNames }) => {
  return (
    <div class="not-found">
      <h3 dir="auto">{asked.text}</h3>
      {asked.nearest !== null && asked.nearest.length > 0 && (
        <section aria-label={words.nearest}>
          <h4>{words.nearest}</h4>
          <SourceCards passages={asked.nearest} names={names} answer="" isNumbered={false} />
        </section>
      )}
      {asked.nearest !== null && (
        <section aria-label={words.tryThis}>
          <h4>{words.tryThis}</h4>
          <ul>
            <li>{words.tryWords}</li>
            <li>{words.tryQuotes}</li>
            <li>{isEverything(asked.scope) ? words.tryNarrow : words.tryScope}</li>
          </ul>
        </section>
      )}
    </div>
  );
};
