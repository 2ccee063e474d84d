import { useRef, useState } from "preact/hooks";
import { AnswerText } from "../shared/answer-text.tsx";
import { copyText } from "../shared/copy-text.ts";
import { strings } from "../shared/strings.ts";
import type { Source, Turn } from "./turns.ts";

interface TurnViewProps {
  turn: Turn;
  isLast: boolean;
  onRetry(): void;
}

/** A question or an answer of the conversation. */
export const TurnView = ({ turn, isLast, onRetry }: TurnViewProps) => {
  const sources = useRef<HTMLDetailsElement>(null);
  const [shown, setShown] = useState<number | null>(null);
  const showSource = (number: number): void => {
    if (sources.current === null) return;
    sources.current.open = true;
    setShown(number);
    const card = sources.current.querySelector<HTMLElement>(`[data-number="${number}"]`);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest" });
  };
  const isWaiting = turn.state === "streaming" && turn.text === "";
  return (
    <article class={turn.isAnswer ? "turn answer" : "turn question"} aria-busy={turn.state === "streaming"}>
      <h2 class="unseen">{turn.isAnswer ? strings.answer : strings.you}</h2>
      {isWaiting && <p class="quiet">{strings.writing}</p>}
      {turn.isAnswer ? (
        <AnswerText text={turn.text} sources={turn.sources.length} onSource={showSource} />
      ) : (
        <p class="text" dir="auto">
          {turn.text}
        </p>
      )}
      {turn.notice !== "" && (
        <p class="notice" role="status">
          {turn.notice}
        </p>
      )}
      {turn.isAnswer && turn.sources.length > 0 && turn.state !== "streaming" && (
        <details class="sources" ref={sources}>
          <summary>{strings.sources(turn.sources.length)}</summary>
          <ol>
            {turn.sources.map((source, at) => (
              <SourceView key={at} source={source} number={at + 1} isShown={shown === at + 1} />
            ))}
          </ol>
        </details>
      )}
      {turn.state !== "streaming" && (turn.isAnswer || turn.state === "ended") && (
        <div class="actions">
          {turn.isAnswer && turn.sentAt !== null && <SentAt time={turn.sentAt} />}
          {turn.isAnswer && turn.text !== "" && <CopyButton text={turn.text} />}
          {isLast && (
            <button type="button" class="quiet" onClick={onRetry}>
              {strings.retry}
            </button>
          )}
        </div>
      )}
    </article>
  );
};

/** In the reader's own zone and manner; a day only where it is another one. */
const SentAt = ({ time }: { time: number }) => {
  const sent = new Date(time);
  const isToday = sent.toDateString() === new Date().toDateString();
  const options: Intl.DateTimeFormatOptions = isToday
    ? { timeStyle: "short" }
    : { dateStyle: "medium", timeStyle: "short" };
  return (
    <time class="quiet" dateTime={sent.toISOString()}>
      {sent.toLocaleString([], options)}
    </time>
  );
};

const SourceView = ({ source, number, isShown }: { source: Source; number: number; isShown: boolean }) => {
  const place = [...source.headings, ...(source.page === null ? [] : [strings.page(source.page)])].join(" · ");
  return (
    <li tabIndex={-1} data-number={number} class={isShown ? "shown" : ""}>
      {place !== "" && (
        <p class="place" dir="auto">
          {place}
        </p>
      )}
      <blockquote dir="auto">{source.text === "" ? strings.deleted : source.text}</blockquote>
    </li>
  );
};

const CopyButton = ({ text }: { text: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    setCopied(await copyText(text));
  };
  return (
    <button type="button" class="quiet" onClick={copy}>
      {isCopied ? strings.copied : strings.copy}
    </button>
  );
};
