import { useSignal } from "@preact/signals";
import { ChevronDown, RotateCcw, SlidersHorizontal, Square } from "lucide";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { doubtOf } from "../../../../../answers/doubt.ts";
import { AnswerText, DoubtNote } from "../../../shared/answer-text.tsx";
import type { Document } from "../../../shared/api.ts";
import { maxQuestionCharacters, onEnter } from "../../../shared/composer.tsx";
import { Icon, writeTo } from "../../../shared/controls.tsx";
import { CopyButton } from "../../components/facts.tsx";
import { Menu } from "../../components/menu.tsx";
import { EmptyNote, FailureNote } from "../../components/notes.tsx";
import { QuotingNote } from "../../components/quoting-note.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { useCommands } from "../../state/commands.ts";
import { useLoaded } from "../../state/loaded.ts";
import { client, forgetWithKey } from "../../state/session.ts";
import { useScrollToEnd } from "../answers/answer-stream.ts";
import type { DocumentNames } from "../answers/document-names.ts";
import { RateThis } from "../answers/rate-answer.tsx";
import { ReceiptLine } from "../answers/receipt.tsx";
import { askAddress, isEverything, readAddress, type Scope } from "../answers/scope.ts";
import { ScopePicker, scopeWords, useScopeNames } from "../answers/scope-picker.tsx";
import { SourceCards, sourcesWords, useJoinedSources } from "../answers/source-cards.tsx";
import { answerStrings } from "../answers/strings.ts";
import { type Asked, type AskState, createAskState, isRefusal, isRunning, usualManner } from "./ask-state.ts";
import { PromptSheet } from "./prompt-sheet.tsx";
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
const QuestionForm = ({ question, scope, isRunning, onQuestion, onScope, onAsk, onStop }: QuestionFormProps) => {
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

/** Answers are kept while other views are open: a source is looked at, and the answer is still there. */
const state = createAskState(client);
forgetWithKey(state.clear);

const isSameQuestion = (asked: Asked, question: string, scope: Scope): boolean =>
  askAddress(asked.question, asked.scope) === askAddress(question.trim(), scope);

/** Questions over the documents. */
export const AskView = () => {
  const { query, route } = useLocation();
  const address = readAddress(query);
  const written = askAddress(address.question, address.scope);
  const question = useSignal(address.question);
  const scope = useSignal<Scope>(address.scope);
  const isEditingPrompt = useSignal(false);
  const documents = useLoaded((signal) => client.list<Document>("/api/document", { limit: 5 }, signal)).value;
  useScopeNames(scope);

  // Addresses are followed: a link, the palette, back and forward. A question that has an answer is not asked again.
  // Before the field is drawn: an effect that comes a frame later would delete what is typed meanwhile.
  useLayoutEffect(() => {
    const known = state.history.peek().find((asked) => isSameQuestion(asked, address.question, address.scope));
    question.value = address.question;
    scope.value = known?.scope ?? address.scope;
    if (address.question.trim() === "") state.show(null);
    else if (known !== undefined) state.show(known.id);
    else state.ask(address.question, address.scope);
  }, [written]);

  const shown = state.history.value.find(({ id }) => id === state.shownId.value) ?? null;
  const ask = (text = question.value): void => {
    question.value = text;
    if (text.trim() === "") return;
    state.ask(question.value, scope.value);
    route(askAddress(question.value.trim(), scope.value));
  };
  const show = (asked: Asked) => () => {
    state.show(asked.id);
    route(askAddress(asked.question, asked.scope));
  };
  useCommands(() => [{ id: "ask.prompt", title: words.promptTitle, run: () => openPrompt() }]);
  const openPrompt = (): void => {
    isEditingPrompt.value = true;
  };
  const hasOwnPrompt = state.manner.value.prompt !== usualManner.prompt;
  return (
    <div class="ask">
      <ViewHeader title={words.title}>
        <span class="ask-tools">
          {state.history.value.length > 1 && (
            <Menu
              label={words.earlier}
              items={state.history.value.map((asked) => ({ label: asked.question, run: show(asked) }))}
              class="quiet"
            />
          )}
          <button type="button" class={hasOwnPrompt ? "changed" : "quiet"} onClick={openPrompt}>
            <Icon icon={SlidersHorizontal} />
            {words.prompt}
          </button>
        </span>
      </ViewHeader>
      <QuestionForm
        question={question.value}
        scope={scope.value}
        isRunning={shown !== null && isRunning(shown)}
        onQuestion={writeTo(question)}
        onScope={writeTo(scope)}
        onAsk={() => ask()}
        onStop={() => shown !== null && state.stop(shown.id)}
      />
      {shown !== null ? (
        <AnswerView key={shown.id} asked={shown} state={state} />
      ) : documents?.total === 0 ? (
        <EmptyNote title={words.noDocuments}>
          <p>{words.noDocumentsHint}</p>
          <a class="button" href="/documents">
            {words.addDocuments}
          </a>
        </EmptyNote>
      ) : (
        <AskStart documents={documents?.items ?? []} onAsk={ask} />
      )}
      {isEditingPrompt.value && (
        <PromptSheet
          state={state}
          question={question.value.trim()}
          scope={scope.value}
          onClose={() => (isEditingPrompt.value = false)}
        />
      )}
    </div>
  );
};

/** Longer names make no question that is read at a glance. */
const maxNameCharacters = 60;

/** What is shown before the first question: questions that fit what is there. */
const AskStart = ({ documents, onAsk }: { documents: readonly Document[]; onAsk(question: string): void }) => {
  const { examples } = words;
  const [first, second] = documents
    .filter(({ status, name }) => status === "processed" && name.length <= maxNameCharacters)
    .map(({ name }) => name);
  return (
    <div class="ask-start">
      <p class="quiet">{words.start}</p>
      {documents.length > 0 && (
        <ul class="ask-examples" aria-label={examples.label}>
          {[
            ...(first === undefined ? [] : [examples.summarize(first)]),
            examples.inventory,
            ...(second === undefined ? [] : [examples.about(second)]),
          ].map((example) => (
            <li key={example}>
              <button type="button" onClick={() => onAsk(example)}>
                <bdi>{example}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      <QuotingNote />
    </div>
  );
};

/** What is said while there is no answer, or of one that is not whole. */
const noticeOf = ({ phase, text }: Asked): string => {
  if (phase === "searching") return words.searching;
  if (phase === "writing") return text === "" ? words.writing : "";
  if (phase === "waiting" || phase === "lost" || phase === "back" || phase === "stopped") return words[phase];
  return "";
};

/** An answer with its sources at the side, joined by their marks. */
const AnswerView = ({ asked, state }: { asked: Asked; state: AskState }) => {
  useScrollToEnd(asked.text);
  const { passages, text, phase, receipt } = asked;
  const runs = isRunning(asked);
  const isNotFound = phase === "whole" && isRefusal(receipt);
  const sources = useJoinedSources(passages, text);
  return (
    <div class={runs ? "asked running" : "asked"}>
      <article class="answer" aria-busy={runs} aria-label={words.answer}>
        <h2 class="asked-question" dir="auto">
          {asked.question}
        </h2>
        <p class="answer-notice quiet" role="status">
          {noticeOf(asked)}
          {phase === "whole" && <span class="unseen">{words.isWhole}</span>}
        </p>
        {isNotFound ? <NotFound asked={asked} names={state.names} /> : <AnswerText {...sources.answer} />}
        {receipt !== null && <DoubtNote doubt={doubtOf(receipt)} />}
        <FailureNote error={asked.failure} />
        {!runs && (
          <div class="actions">
            {text !== "" && !isNotFound && <CopyButton text={text} label={words.copyAnswer} />}
            <button type="button" onClick={() => state.ask(asked.question, asked.scope)}>
              <Icon icon={RotateCcw} />
              {words.askAgain}
            </button>
            {receipt !== null && (
              <RateThis
                answer={{ receiptId: receipt.id }}
                given={asked.feedback}
                onChange={(feedback) => state.rated(asked.id, feedback)}
                names={state.names}
              />
            )}
          </div>
        )}
        {receipt !== null && <ReceiptLine id={receipt.id} receipt={receipt} passages={passages} names={state.names} />}
      </article>
      {passages.length > 0 && (
        <aside class="answer-sources" aria-label={sourcesWords(passages, text)}>
          <h3>{sourcesWords(passages, text)}</h3>
          <SourceCards {...sources.cards} names={state.names} />
        </aside>
      )}
    </div>
  );
};

/** What is shown where the documents do not hold the answer: the server's words, what comes near, what to try. */
const NotFound = ({ asked, names }: { asked: Asked; names: DocumentNames }) => {
  return (
    <div class="not-found">
      <h3 dir="auto">{asked.text}</h3>
      {asked.nearest !== null && asked.nearest.length > 0 && (
        <section aria-label={words.nearest}>
          <h4>{words.nearest}</h4>
          <SourceCards passages={asked.nearest} names={names} answer="" isNumbered={false} />
        </section>
      )}
      {asked.nearest !== null && (
        <section aria-label={words.tryThis}>
          <h4>{words.tryThis}</h4>
          <ul>
            <li>{words.tryWords}</li>
            <li>{words.tryQuotes}</li>
            <li>{isEverything(asked.scope) ? words.tryNarrow : words.tryScope}</li>
          </ul>
        </section>
      )}
    </div>
  );
};
