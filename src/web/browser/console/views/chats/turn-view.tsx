import { RotateCcw } from "lucide";
import { doubtOf } from "../../../../../answers/doubt.ts";
import { AnswerText, DoubtNote } from "../../../shared/answer-text.tsx";
import type { Feedback } from "../../../shared/api.ts";
import { Icon } from "../../../shared/controls.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { RelativeTime } from "../../components/facts.tsx";
import { FailureNote } from "../../components/notes.tsx";
import type { DocumentNames } from "../answers/document-names.ts";
import { RateThis } from "../answers/rate-answer.tsx";
import { ReceiptLine } from "../answers/receipt.tsx";
import { SourceCards, sourcesWords, useJoinedSources } from "../answers/source-cards.tsx";
import { chatsStrings as words } from "./strings.ts";
import type { Turn } from "./turns.ts";

interface TurnViewProps {
  turn: Turn;
  names: DocumentNames;
  /** Keeps what was said of the answer. */
  onRated(feedback: Feedback | null): void;
  /** Sends the last question again; null for all turns but the last. */
  onAskAgain: (() => void) | null;
}

/** A question or an answer of a conversation. */
export const TurnView = (props: TurnViewProps) =>
  props.turn.isAnswer ? <Answer {...props} /> : <Question {...props} />;

const AskAgain = ({ onAskAgain }: Pick<TurnViewProps, "onAskAgain">) =>
  onAskAgain !== null && (
    <button type="button" onClick={onAskAgain}>
      <Icon icon={RotateCcw} />
      {words.askAgain}
    </button>
  );

const Question = ({ turn, onAskAgain }: TurnViewProps) => (
  <article class="turn question">
    <h3 class="unseen">{words.you}</h3>
    <p class="text" dir="auto">
      {turn.text}
    </p>
    {turn.phase === "unanswered" && (
      <div class="actions">
        <span class="quiet">{words.unanswered}</span>
        <AskAgain onAskAgain={onAskAgain} />
      </div>
    )}
  </article>
);

const Answer = ({ turn, names, onRated, onAskAgain }: TurnViewProps) => {
  const { passages, text } = turn;
  const sources = useJoinedSources(passages, text);
  const isWritten = turn.phase === "writing";
  return (
    <article class="turn answer" aria-busy={isWritten}>
      <h3 class="unseen">{words.answer}</h3>
      {isWritten && text === "" && <p class="quiet">{words.searching}</p>}
      <AnswerText {...sources.answer} />
      {turn.receipt !== null && <DoubtNote doubt={doubtOf(turn.receipt)} />}
      {turn.phase === "stopped" && turn.failure === null && <p class="quiet">{words.stopped}</p>}
      <FailureNote error={turn.failure} />
      {!isWritten && passages.length > 0 && (
        <details class="turn-sources">
          <summary>{sourcesWords(passages, text)}</summary>
          <SourceCards {...sources.cards} names={names} />
        </details>
      )}
      {turn.messageId !== null && (
        <ReceiptLine id={turn.messageId} receipt={turn.receipt} passages={passages} names={names} />
      )}
      {!isWritten && (
        <div class="actions">
          {text !== "" && <CopyButton text={text} label={words.copyAnswer} />}
          {turn.phase === "stopped" && <AskAgain onAskAgain={onAskAgain} />}
          {turn.messageId !== null && (
            <RateThis answer={{ messageId: turn.messageId }} given={turn.feedback} onChange={onRated} names={names} />
          )}
          {turn.sentAt !== null && (
            <span class="quiet">
              <RelativeTime at={turn.sentAt} />
            </span>
          )}
        </div>
      )}
    </article>
  );
};
