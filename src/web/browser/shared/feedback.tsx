import { ThumbsDown, ThumbsUp } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { messageOf } from "../../../domain/errors.ts";
import { feedbackReasons, maxFeedbackCharacters } from "../../../domain/records.ts";
import type { Feedback, FeedbackRequest } from "./api.ts";
import { Icon } from "./controls.tsx";

/** Texts of the thumbs and of what they lead to. */
const words = {
  question: "How is this answer?",
  up: "Good answer",
  down: "Bad answer",
  thanks: "Thank you.",
  thanksTellMore: "Thank you. You can say below what was wrong.",
  takenBack: "Taken back.",
  tell: "Say what was wrong",
  change: "Change what you said",
  form: "What was wrong with this answer",
  reason: "What was wrong?",
  reasons: {
    wrong: "It is not true",
    incomplete: "Something is missing",
    not_found: "The documents say it, and it was not found",
    outdated: "It is out of date",
    other: "Something else",
  },
  expected: "What should have been found",
  comment: "Note",
  send: "Send",
  cancel: "Close",
};

/** What is said of an answer. */
export type Said = Omit<FeedbackRequest, "receiptId" | "messageId">;

interface RateAnswerProps {
  /** What this reader said of the answer; null: nothing. */
  given: Feedback | null;
  /** Says it, in place of what was said before. Resolves once it is kept and shown. */
  onGive(said: Said): Promise<void>;
  /** Takes back what was said. */
  onTakeBack(id: string): Promise<void>;
  /** Where readers may name the document that holds the answer: the field for it. */
  documentField?: ((chosen: string | null, onChoose: (id: string | null) => void) => ComponentChildren) | undefined;
}

/** Thumbs up and down below an answer, and what was wrong with it. A thumb that is pressed again is taken back. */
export const RateAnswer = ({ given, onGive, onTakeBack, documentField }: RateAnswerProps) => {
  const [isOpen, setOpen] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const [outcome, setOutcome] = useState("");
  const [failure, setFailure] = useState("");
  const down = useRef<HTMLButtonElement>(null);
  const form = useId();

  const run = async (work: Promise<void>, done: string): Promise<boolean> => {
    setRunning(true);
    setFailure("");
    try {
      await work;
      setOutcome(done);
      return true;
    } catch (error) {
      setFailure(messageOf(error));
      return false;
    } finally {
      setRunning(false);
    }
  };
  const rate = (rating: "up" | "down") => async (): Promise<void> => {
    if (isRunning) return;
    if (given?.rating === rating) {
      setOpen(false);
      await run(onTakeBack(given.id), words.takenBack);
    } else {
      setOpen(rating === "down");
      await run(onGive({ rating }), rating === "up" ? words.thanks : words.thanksTellMore);
    }
  };
  const close = (): void => {
    setOpen(false);
    down.current?.focus();
  };
  const send = async (said: Said): Promise<void> => {
    if (!isRunning && (await run(onGive(said), words.thanks))) close();
  };
  const thumb = (rating: "up" | "down") => (
    <button
      type="button"
      class="icon-only thumb"
      ref={rating === "down" ? down : null}
      aria-label={words[rating]}
      title={words[rating]}
      aria-pressed={given?.rating === rating}
      onClick={rate(rating)}
    >
      <Icon icon={rating === "up" ? ThumbsUp : ThumbsDown} />
    </button>
  );
  return (
    <>
      <fieldset class="thumbs">
        <legend class="unseen">{words.question}</legend>
        {thumb("up")}
        {thumb("down")}
      </fieldset>
      {given?.rating === "down" && !isOpen && (
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          {given.reason === null && given.comment === null && given.expected.text === null ? words.tell : words.change}
        </button>
      )}
      <span class="quiet" role="status">
        {outcome}
      </span>
      {failure !== "" && (
        <p class="notice feedback-row" role="alert" dir="auto">
          {failure}
        </p>
      )}
      {isOpen && given?.rating === "down" && (
        <FeedbackForm
          id={form}
          given={given}
          isRunning={isRunning}
          documentField={documentField}
          onSend={(said) => void send(said)}
          onClose={close}
        />
      )}
    </>
  );
};

interface FeedbackFormProps extends Pick<RateAnswerProps, "documentField"> {
  id: string;
  given: Feedback;
  isRunning: boolean;
  onSend(said: Said): void;
  onClose(): void;
}

/** Why an answer is not good, and what should have been found: nothing of it has to be filled in. */
const FeedbackForm = ({ id, given, isRunning, documentField, onSend, onClose }: FeedbackFormProps) => {
  const [documentId, setDocument] = useState(given.expected.documentId);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string): string | null => String(fields.get(name) ?? "").trim() || null;
    const reason = feedbackReasons.find((one) => one === fields.get("reason"));
    const comment = text("comment");
    onSend({
      rating: "down",
      ...(reason === undefined ? {} : { reason }),
      ...(comment === null ? {} : { comment }),
      expected: { documentId, text: text("expected") },
    });
  };
  const area = (name: "expected" | "comment", value: string | null) => (
    <label class="field">
      {words[name]}
      <textarea name={name} rows={2} dir="auto" maxLength={maxFeedbackCharacters} defaultValue={value ?? ""} />
    </label>
  );
  return (
    <form
      id={id}
      class="feedback-form feedback-row"
      aria-label={words.form}
      onSubmit={onSubmit}
      onKeyDown={(event) => {
        // Not further: the widget closes itself at this key.
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <fieldset>
        <legend>{words.reason}</legend>
        {feedbackReasons.map((reason) => (
          <label key={reason} class="feedback-reason">
            <input type="radio" name="reason" value={reason} defaultChecked={given.reason === reason} />
            {words.reasons[reason]}
          </label>
        ))}
      </fieldset>
      {area("expected", given.expected.text)}
      {documentField?.(documentId, setDocument)}
      {area("comment", given.comment)}
      <div class="actions">
        <button type="submit" class="primary" disabled={isRunning}>
          {words.send}
        </button>
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
};
