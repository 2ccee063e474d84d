import { render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { brandColors } from "../shared/color.ts";
import { Composer } from "../shared/composer.tsx";
import { Select } from "../shared/controls.tsx";
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
        class="composer"
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
