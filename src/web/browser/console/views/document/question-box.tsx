import { useLocation } from "preact-iso";
import { documentStrings as texts } from "./strings.ts";

const maxCharacters = 8_000;

/** Asks this document only, in the view made for that. */
export const QuestionBox = ({ documentId }: { documentId: string }) => {
  const { route } = useLocation();
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    const question = String(new FormData(event.currentTarget as HTMLFormElement).get("q")).trim();
    if (question !== "") route(`/ask?${new URLSearchParams({ document: documentId, q: question })}`);
  };
  return (
    <form class="question-box" onSubmit={ask}>
      <input
        name="q"
        dir="auto"
        aria-label={texts.ask}
        placeholder={texts.askPlaceholder}
        maxLength={maxCharacters}
        autocomplete="off"
      />
      <button type="submit" class="primary">
        {texts.askButton}
      </button>
    </form>
  );
};
