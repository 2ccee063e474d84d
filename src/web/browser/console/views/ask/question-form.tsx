import { useSignal } from "@preact/signals";
import { ChevronDown, Square } from "lucide";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { maxQuestionCharacters, onEnter } from "../../../shared/composer.tsx";
import { Icon } from "../../../shared/controls.tsx";
import type { Scope } from "../answers/scope.ts";
import { ScopePicker, scopeWords } from "../answers/scope-picker.tsx";
import { answerStrings } from "../answers/strings.ts";
import { askStrings as words } from "./strings.ts";

interface QuestionFormProps {
  question: string;
  scope: Scope;
  isRunning: boolean;
  onQuestion(question: string): void;
  onScope(scope: Scope): void;
  onAsk(): void;
  onStop(): void;
}

/** The question box and what the question is over. Enter asks, Shift and Enter begin a line. */
export const QuestionForm = ({ question, scope, isRunning, onQuestion, onScope, onAsk, onStop }: QuestionFormProps) => {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const chip = useRef<HTMLButtonElement>(null);
  const isChoosing = useSignal(false);
  // Not after the paint: whoever sees the field may type.
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <form
      class="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        isChoosing.value = false;
        onAsk();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isChoosing.value) return;
        event.stopPropagation();
        isChoosing.value = false;
        chip.current?.focus();
      }}
    >
      <label class="unseen" for={`${id}-question`}>
        {words.question}
      </label>
      <textarea
        id={`${id}-question`}
        ref={field}
        class="question-field"
        rows={2}
        dir="auto"
        maxLength={maxQuestionCharacters}
        placeholder={words.placeholder}
        value={question}
        onInput={({ currentTarget }) => onQuestion(currentTarget.value)}
        onKeyDown={onEnter(() => {
          if (!isRunning) field.current?.form?.requestSubmit();
        })}
      />
      <div class="question-foot">
        <button
          ref={chip}
          type="button"
          class="scope-chip"
          aria-expanded={isChoosing.value}
          aria-controls={`${id}-scope`}
          onClick={() => (isChoosing.value = !isChoosing.value)}
        >
          <span class="unseen">{answerStrings.scope}: </span>
          <bdi>{scopeWords(scope)}</bdi>
          <Icon icon={ChevronDown} />
        </button>
        {isRunning ? (
          <button key="stop" type="button" class="primary" onClick={onStop}>
            <Icon icon={Square} />
            {words.stop}
          </button>
        ) : (
          <button key="ask" type="submit" class="primary" disabled={question.trim() === ""}>
            {words.ask}
          </button>
        )}
      </div>
      <div id={`${id}-scope`} hidden={!isChoosing.value}>
        {isChoosing.value && <ScopePicker scope={scope} onChange={onScope} />}
      </div>
    </form>
  );
};
