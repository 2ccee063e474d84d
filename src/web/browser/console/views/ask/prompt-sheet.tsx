import { useSignal } from "@preact/signals";
import { aboutDocument, contextText, promptTurns, type Task } from "../../../../../answers/prompt/prompt.ts";
import type { Answer, Document } from "../../../shared/api.ts";
import { Sheet } from "../../components/dialog.tsx";
import { FailureNote, Loading } from "../../components/notes.tsx";
import { useLoaded } from "../../state/loaded.ts";
import { client } from "../../state/session.ts";
import { type Passage, toPassage } from "../answers/passages.ts";
import { PromptTurns } from "../answers/receipt.tsx";
import { type Scope, scopeFields } from "../answers/scope.ts";
import { answerStrings } from "../answers/strings.ts";
import type { AskState, Manner } from "./ask-state.ts";
import { askStrings as words } from "./strings.ts";

interface PromptSheetProps {
  state: AskState;
  /** Empty: none is written yet. */
  question: string;
  scope: Scope;
  onClose(): void;
}

const maxPromptCharacters = 32_000;
const maxPassages = 50;

/** How a question is asked: a prompt of one's own and the number of passages, with what the model would get. */
export const PromptSheet = ({ state, question, scope, onClose }: PromptSheetProps) => {
  const { prompt, passages } = state.manner.value;
  const count = useSignal(String(passages));
  const found = useLoaded(
    async (signal) => {
      if (question === "") return null;
      const body = { query: question, ...scopeFields(scope), numberOfDocumentsInContext: passages };
      const answer = await client.send<Answer>("POST", "/api/search", body, signal);
      state.names.learn(answer.relevantDocuments);
      return { passages: answer.relevantSnippets.map(toPassage), documents: answer.relevantDocuments };
    },
    [question, passages],
  );
  const change = (part: Partial<Manner>): void => {
    state.manner.value = { ...state.manner.peek(), ...part };
  };
  return (
    <Sheet
      title={words.promptTitle}
      onClose={onClose}
      actions={
        <>
          <button type="button" disabled={prompt === ""} onClick={() => change({ prompt: "" })}>
            {words.reset}
          </button>
          <button type="button" class="primary" onClick={onClose}>
            {words.done}
          </button>
        </>
      }
    >
      <label class="field">
        {words.promptField}
        <textarea
          rows={6}
          dir="auto"
          maxLength={maxPromptCharacters}
          value={prompt}
          onInput={({ currentTarget }) => change({ prompt: currentTarget.value })}
        />
        <span class="hint">{words.promptHint}</span>
      </label>
      <label class="field passages-field">
        {words.passagesField}
        <input
          type="number"
          min={1}
          max={maxPassages}
          value={count.value}
          onInput={({ currentTarget }) => {
            count.value = currentTarget.value;
            const number = currentTarget.valueAsNumber;
            if (Number.isInteger(number) && number >= 1 && number <= maxPassages) change({ passages: number });
          }}
        />
      </label>
      <section class="prompt-preview" aria-label={words.preview}>
        <h3>{words.preview}</h3>
        <p class="quiet">{question === "" ? words.previewEmpty : words.previewOf(question)}</p>
        <FailureNote error={found.error} />
        {found.value === undefined && found.error === null && <Loading />}
        {found.value !== undefined && <Preview prompt={prompt} question={question} found={found.value} state={state} />}
        <p class="quiet">{words.previewHint}</p>
      </section>
    </Sheet>
  );
};

interface PreviewProps {
  prompt: string;
  question: string;
  /** Null without a question. */
  found: { passages: readonly Passage[]; documents: readonly Document[] } | null;
  state: AskState;
}

const Preview = ({ prompt, question, found, state }: PreviewProps) => {
  const own = prompt.trim() === "" ? null : prompt;
  if (found?.passages.length === 0) return <p>{words.previewRefused}</p>;
  const turns =
    found === null
      ? withPlaceholders(own)
      : promptTurns(
          { prompt: own, query: question, task: plainTask() },
          found.passages.map(toSource(state, found.documents)),
          [],
        );
  return <PromptTurns turns={turns} heading="h4" />;
};

/** The usual one: what a question is read as, and how sure its answer is, the server finds out. */
const plainTask = (): Task => ({
  kind: "question",
  certainty: "sure",
  instructions: "",
  attached: "",
  today: new Date().toISOString().slice(0, 10),
});

/** As the server puts a passage before the model. */
const toSource =
  ({ names }: AskState, documents: readonly Document[]) =>
  ({ documentId, page, headings, text }: Passage, at: number) => {
    const document = documents.find(({ id }) => id === documentId);
    return {
      number: at + 1,
      documentName: names.of(documentId ?? "") ?? answerStrings.unnamed,
      page,
      headings,
      about: document === undefined ? [] : aboutDocument(document),
      context: "",
      text,
    };
  };

const someSource = {
  number: 1,
  documentName: "",
  page: null,
  headings: [],
  about: [],
  context: "",
  text: "",
};

/** What is sent where neither question nor passages are known yet. */
const withPlaceholders = (own: string | null): ReturnType<typeof promptTurns> =>
  own === null
    ? promptTurns({ prompt: null, query: "{query}", task: plainTask() }, [someSource], []).map(({ role, content }) => ({
        role,
        content: content.replace(contextText([someSource]), "{contextText}"),
      }))
    : [{ role: "user", content: own }];
