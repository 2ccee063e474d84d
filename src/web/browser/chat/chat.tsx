import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { AnswerText, DoubtNote, PassageText } from "../shared/answer-text.tsx";
import { brandColors } from "../shared/color.ts";
import { Composer } from "../shared/composer.tsx";
import { copyText, Select } from "../shared/controls.tsx";
import { RateAnswer } from "../shared/feedback.tsx";
import { type ChatState, createChatState, type Source, type Turn } from "./chat-state.ts";
import { strings } from "./strings.ts";

interface TurnViewProps {
  turn: Turn;
  isLast: boolean;
  state: Pick<ChatState, "rate" | "retry" | "takeBack">;
}

/** A question or an answer of the conversation. */
const TurnView = ({ turn, isLast, state }: TurnViewProps) => {
  const sources = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<number | null>(null);
  const showSource = (number: number): void => {
    setShown(number);
    const card = sources.current?.querySelector<HTMLElement>(`[data-number="${number}"]`);
    for (let part = card?.closest("details"); part; part = part.parentElement?.closest("details")) part.open = true;
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
      <DoubtNote doubt={turn.doubt} />
      {turn.notice !== "" && (
        <p class="notice" role="status">
          {turn.notice}
        </p>
      )}
      {turn.isAnswer && turn.sources.length > 0 && turn.state !== "streaming" && (
        <div ref={sources}>
          <Sources turn={turn} shown={shown} />
        </div>
      )}
      {turn.state !== "streaming" && (turn.isAnswer || turn.state === "ended") && (
        <div class="actions">
          {turn.isAnswer && turn.sentAt !== null && <SentAt time={turn.sentAt} />}
          {turn.isAnswer && turn.text !== "" && <CopyButton text={turn.text} />}
          {isLast && (
            <button type="button" class="quiet" onClick={state.retry}>
              {strings.retry}
            </button>
          )}
          {turn.isAnswer && turn.messageId !== null && (
            <RateAnswer
              given={turn.feedback}
              onGive={(said) => state.rate(turn, said)}
              onTakeBack={(id) => state.takeBack(turn, id)}
            />
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

/** The passages that the answer names, then, folded, those that were read besides. */
const Sources = ({ turn: { text, sources }, shown }: { turn: Turn; shown: number | null }) => {
  const numbered = sources.map((source, at) => ({ source, number: at + 1 }));
  const isNamed = ({ number }: { number: number }): boolean => text.includes(`[${number}]`);
  const named = numbered.filter(isNamed);
  const others = numbered.filter((one) => !isNamed(one));
  const list = (some: typeof numbered) => (
    <ol>
      {some.map(({ source, number }) => (
        <SourceView key={number} source={source} number={number} isShown={shown === number} />
      ))}
    </ol>
  );
  return (
    <details class="sources">
      <summary>{named.length === 0 ? strings.passagesRead(others.length) : strings.sources(named.length)}</summary>
      {named.length > 0 && list(named)}
      {named.length === 0 && list(others)}
      {named.length > 0 && others.length > 0 && (
        <details class="more-sources">
          <summary>{strings.morePassages(others.length)}</summary>
          {list(others)}
        </details>
      )}
    </details>
  );
};

const SourceView = ({ source, number, isShown }: { source: Source; number: number; isShown: boolean }) => {
  const place = [...source.headings, ...(source.page === null ? [] : [strings.page(source.page)])].join(" · ");
  return (
    <li tabIndex={-1} value={number} data-number={number} class={isShown ? "shown" : ""}>
      {place !== "" && (
        <p class="place" dir="auto">
          {place}
        </p>
      )}
      {source.text === "" ? (
        <p class="quiet">{strings.deleted}</p>
      ) : (
        <PassageText text={source.text} columns={source.columns} />
      )}
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

/** How near to its end the conversation must be scrolled to follow what is appended, in pixels. */
const atEndPixels = 48;

const Conversation = ({ state }: { state: ChatState }) => {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const turns = state.turns.value;
  useLayoutEffect(() => {
    if (isAtEnd.current && list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [turns]);
  return (
    <div
      class="turns"
      role="log"
      aria-label={strings.thisConversation}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
      tabIndex={0}
      ref={list}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < atEndPixels;
      }}
    >
      {turns.length === 0 && <p class="quiet start">{strings.start}</p>}
      {turns.map((turn, at) => (
        <TurnView key={turn.id} turn={turn} isLast={at === turns.length - 1} state={state} />
      ))}
    </div>
  );
};

const History = ({ state }: { state: ChatState }) => (
  <nav class="history">
    <button type="button" class="quiet" onClick={() => state.open(null)}>
      {strings.newConversation}
    </button>
    {state.history.value.length > 0 && (
      <Select
        aria-label={strings.conversations}
        value={state.token.value ?? ""}
        options={[
          ["", strings.thisConversation],
          ...state.history.value.map(
            ({ token, title, startedAt }) => [token, `${title} · ${new Date(startedAt).toLocaleDateString()}`] as const,
          ),
        ]}
        onChoose={(token) => state.open(token === "" ? null : token)}
      />
    )}
  </nav>
);

const Chat = ({ state, placeholder }: { state: ChatState; placeholder: string }) => {
  useEffect(() => void state.load(), []);
  return (
    <>
      <History state={state} />
      <Conversation state={state} />
      <p class="notice" role="status">
        {state.notice.value}
      </p>
      <Composer
        id="message"
        words={{ ...strings, placeholder }}
        isAnswering={state.isAnswering.value}
        onSend={(text) => void state.send(text)}
        onStop={state.stop}
      />
    </>
  );
};

/** The brand's color replaces the accent, moved in lightness until it can be read on the page. */
const paint = (color: string | undefined): void => {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const colors = brandColors(color, isDark ? "dark" : "light");
  if (colors === null) return;
  document.documentElement.style.setProperty("--accent", colors.accent);
  document.documentElement.style.setProperty("--on-accent", colors.onAccent);
};

const place = document.querySelector<HTMLElement>("#chat");
if (place !== null) {
  const { chat = "", color, placeholder } = place.dataset;
  paint(color);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => paint(color));
  if (window.parent !== window) {
    document.documentElement.classList.add("framed");
    // The widget closes itself and takes the focus back.
    addEventListener("keydown", (event) => {
      if (event.key === "Escape") window.parent.postMessage("carrel:close", "*");
    });
  }
  render(<Chat state={createChatState(chat)} placeholder={placeholder || strings.placeholder} />, place);
}
