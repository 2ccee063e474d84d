import { useSignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { chatsStrings as words } from "./strings.ts";

interface MessageFormProps {
  isAnswering: boolean;
  onSend(text: string): void;
  onStop(): void;
}

/** The same limit as the API's. */
const maxMessageCharacters = 8_000;

/** Where a message is written. Enter sends it, Shift and Enter begin a line. */
export const MessageForm = ({ isAnswering, onSend, onStop }: MessageFormProps) => {
  const id = useId();
  const text = useSignal("");
  const field = useRef<HTMLTextAreaElement>(null);
  // Not after the paint: whoever sees the field may type.
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  const send = (): void => {
    if (isAnswering || text.value.trim() === "") return;
    onSend(text.value);
    text.value = "";
    field.current?.focus({ preventScroll: true });
  };
  return (
    <form
      class="message-form"
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
        maxLength={maxMessageCharacters}
        placeholder={words.placeholder}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
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
