import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { at } from "../../shared/prefix.ts";
import { guides } from "../state/documents.ts";
import { strings } from "../strings.ts";
import { type AskOutcome, askGuides, loadAndAsk } from "./ask-guides.ts";

const words = strings.ask;
const maxQuestionCharacters = 8_000;

/** Asks the guides a question: the console answers it. @param asked a question that is asked at once */
export const AskBox = ({ asked = "" }: { asked?: string }) => {
  const question = useSignal(asked);
  const running = useSignal("");
  const outcome = useSignal<AskOutcome | null>(null);
  const field = useRef<HTMLInputElement>(null);

  const finish = async (note: string, work: Promise<AskOutcome>): Promise<void> => {
    running.value = note;
    const ended = await work;
    running.value = "";
    outcome.value = ended;
    if (ended.kind === "open") location.assign(at(ended.address));
  };
  const ask = () => finish(words.running, askGuides(question.value.trim()));
  const load = () => finish(words.loading, loadAndAsk(guides.value ?? [], question.value.trim()));
  useEffect(() => {
    question.value = asked;
    if (asked !== "") void ask();
  }, [asked]);

  return (
    <section class="ask-box">
      <h2>{words.title}</h2>
      <p class="quiet">{words.lead}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (question.value.trim() === "") field.current?.focus();
          else void ask();
        }}
      >
        <input
          ref={field}
          type="text"
          aria-label={words.label}
          placeholder={words.placeholder}
          maxLength={maxQuestionCharacters}
          value={question.value}
          onInput={(event) => {
            question.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="primary" disabled={running.value !== ""}>
          {words.submit}
        </button>
      </form>
      <div role="status">
        {running.value !== "" ? <p class="quiet">{running.value}</p> : <Told outcome={outcome.value} load={load} />}
      </div>
    </section>
  );
};

const Told = ({ outcome, load }: { outcome: AskOutcome | null; load(): Promise<void> }) => {
  switch (outcome?.kind) {
    case "signed-out":
      return (
        <p>
          {words.signedOut} <a href="/">{words.signIn}</a>
        </p>
      );
    case "not-loaded":
      return (
        <p>
          {words.notLoaded}{" "}
          {outcome.mayLoad ? (
            <button type="button" onClick={() => void load()}>
              {words.load}
            </button>
          ) : (
            words.mayNotLoad
          )}
        </p>
      );
    case "failed":
      return (
        <p class="notice">
          {words.failed} {outcome.detail || words.unreachable}
        </p>
      );
    default:
      return null;
  }
};
