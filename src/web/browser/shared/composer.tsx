import { useLayoutEffect, useRef } from "preact/hooks";

interface ComposerProps {
  /** Of the text field. */
  id: string;
  words: Record<"message" | "placeholder" | "stop" | "send", string>;
  isAnswering: boolean;
  /** Whether the field has the focus from the start. */
  takesFocus?: boolean;
  onSend(text: string): void;
  onStop(): void;
}

/** The same limit as the API's. */
export const maxQuestionCharacters = 8_000;

/** Calls what sends at Enter; Shift and Enter begin a line. */
export const onEnter =
  (send: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  };

/** Where a message to a chat is written. Enter sends it, Shift and Enter begin a line. */
export const Composer = ({ id, words, isAnswering, takesFocus = false, onSend, onStop }: ComposerProps) => {
  const field = useRef<HTMLTextAreaElement>(null);
  const focus = (): void => field.current?.focus({ preventScroll: true });
  // Not after the paint: whoever sees the field may type.
  useLayoutEffect(() => {
    if (takesFocus) focus();
  }, []);
  const send = (): void => {
    const { current } = field;
    if (current === null || current.value.trim() === "" || isAnswering) return;
    onSend(current.value);
    current.value = "";
    focus();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label class="unseen" for={id}>
        {words.message}
      </label>
      <textarea
        id={id}
        ref={field}
        rows={1}
        dir="auto"
        maxLength={maxQuestionCharacters}
        placeholder={words.placeholder}
        onKeyDown={onEnter(send)}
      />
      {isAnswering ? (
        <button key="stop" type="button" class="primary" onClick={onStop}>
          {words.stop}
        </button>
      ) : (
        <button key="send" type="submit" class="primary">
          {words.send}
        </button>
      )}
    </form>
  );
};
