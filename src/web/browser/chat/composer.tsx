import { useRef } from "preact/hooks";
import { strings } from "../shared/strings.ts";

interface ComposerProps {
  isAnswering: boolean;
  placeholder: string;
  onSend(text: string): void;
  onStop(): void;
}

/** The same limit as the API's. */
const maxQuestionCharacters = 8_000;

/** Where a question is written. Enter sends it, Shift and Enter begin a line. */
export const Composer = ({ isAnswering, placeholder, onSend, onStop }: ComposerProps) => {
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
