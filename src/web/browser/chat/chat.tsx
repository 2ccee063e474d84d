import { render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { brandColors } from "../shared/color.ts";
import { type ChatState, createChatState } from "./chat-state.ts";
import { strings } from "./strings.ts";
import { TurnView } from "./turn-view.tsx";

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
      <select
        aria-label={strings.conversations}
        value={state.token.value ?? ""}
        onChange={({ currentTarget }) => state.open(currentTarget.value === "" ? null : currentTarget.value)}
      >
        <option value="">{strings.thisConversation}</option>
        {state.history.value.map(({ token, title, startedAt }) => (
          <option key={token} value={token}>
            {title} · {new Date(startedAt).toLocaleDateString()}
          </option>
        ))}
      </select>
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
        isAnswering={state.isAnswering.value}
        placeholder={placeholder}
        onSend={(text) => void state.send(text)}
        onStop={state.stop}
      />
    </>
  );
};

interface ComposerProps {
  isAnswering: boolean;
  placeholder: string;
  onSend(text: string): void;
  onStop(): void;
}

/** The same limit as the API's. */
const maxQuestionCharacters = 8_000;

/** Where a question is written. Enter sends it, Shift and Enter begin a line. */
const Composer = ({ isAnswering, placeholder, onSend, onStop }: ComposerProps) => {
  const field = useRef<HTMLTextAreaElement>(null);
  const send = (): void => {
    const { current } = field;
    if (current === null || current.value.trim() === "" || isAnswering) return;
    onSend(current.value);
    current.value = "";
    current.focus();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label class="unseen" for="message">
        {strings.message}
      </label>
      <textarea
        id="message"
        ref={field}
        rows={1}
        dir="auto"
        maxLength={maxQuestionCharacters}
        placeholder={placeholder}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      {isAnswering ? (
        <button type="button" class="primary" onClick={onStop}>
          {strings.stop}
        </button>
      ) : (
        <button type="submit" class="primary">
          {strings.send}
        </button>
      )}
    </form>
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
