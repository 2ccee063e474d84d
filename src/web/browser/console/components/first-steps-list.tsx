import { useSignal } from "@preact/signals";
import { Check } from "lucide";
import type { ComponentChildren } from "preact";
import { serverAddress } from "../../shared/prefix.ts";
import { frameStrings } from "../frame/strings.ts";
import { commands } from "../state/commands.ts";
import { markDone, stepsDone } from "../state/first-steps.ts";
import { loadGuides } from "../state/load-guides.ts";
import { client, mayWrite, session } from "../state/session.ts";
import { useLoaded } from "../state/use-loaded.ts";
import { callExamples } from "./call-examples.ts";
import { CopyButton } from "./copy-button.tsx";
import { FailureNote } from "./failure-note.tsx";
import { Icon } from "./icon.tsx";
import { QuotingNote } from "./quoting-note.tsx";
import { Tabs } from "./tabs.tsx";

const words = frameStrings.firstSteps;
const everyMs = 3_000;

/** What a first visitor does: a document in, a question, a call from a program. Each is ticked as it is done. */
export const FirstStepsList = () => {
  const { value: hasDocuments = false } = useLoaded(
    async (stop) => ((await client.list("/api/document", { limit: 1 }, stop)).total ?? 0) > 0,
    [],
    everyMs,
  );
  return (
    <ol class="first-steps">
      <Step number={1} title={words.add} isDone={hasDocuments}>
        {mayWrite() ? <AddStep /> : <p>{words.readOnly}</p>}
      </Step>
      <Step number={2} title={words.ask} isDone={stepsDone.asked.value}>
        <p>{words.askLead}</p>
        <a class="button" href="/ask">
          {words.askButton}
        </a>
        <QuotingNote />
      </Step>
      <Step number={3} title={words.call} isDone={stepsDone.called.value}>
        <CallStep />
      </Step>
    </ol>
  );
};

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  children: ComponentChildren;
}

const Step = ({ number, title, isDone, children }: StepProps) => (
  <li class={isDone ? "done" : ""}>
    <span class="step-number" aria-hidden="true">
      {isDone ? <Icon icon={Check} /> : number}
    </span>
    <div>
      <h2>
        {isDone && <span class="unseen">{words.done} </span>}
        {title}
      </h2>
      {children}
    </div>
  </li>
);

const AddStep = () => {
  const isLoading = useSignal(false);
  const loaded = useSignal<number | null>(null);
  const failure = useSignal<unknown>(null);
  // The documents view offers adding; its key is `a`.
  const add = commands.value.find(({ keys }) => keys === "a");
  const load = async () => {
    isLoading.value = true;
    failure.value = null;
    try {
      loaded.value = await loadGuides();
    } catch (error) {
      failure.value = error;
    } finally {
      isLoading.value = false;
    }
  };
  return (
    <>
      <p>{words.addLead}</p>
      {add !== undefined && (
        <button type="button" class="primary" onClick={() => add.run()}>
          {words.addButton}
        </button>
      )}
      {/* A key that is limited to a partition cannot make another one. */}
      {session.value?.partitionId === null && (
        <>
          <p>{words.guidesLead}</p>
          <button type="button" disabled={isLoading.value} onClick={load}>
            {isLoading.value ? words.loadingGuides : words.guides}
          </button>
          <p role="status">{loaded.value !== null && words.guidesLoaded(loaded.value)}</p>
        </>
      )}
      <FailureNote error={failure.value} />
    </>
  );
};

const CallStep = () => {
  const language = useSignal("curl");
  const examples = callExamples(serverAddress());
  const shown = examples.find(({ id }) => id === language.value) ?? examples[0];
  return (
    <>
      <p>{words.callLead}</p>
      <Tabs
        label={words.languages}
        tabs={examples}
        selected={language.value}
        onSelect={(id) => {
          language.value = id;
        }}
      >
        <div class="code-box">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
          <pre tabIndex={0}>{shown?.code}</pre>
          <div class="actions">
            <CopyButton text={shown?.code ?? ""} onCopied={() => markDone("called")} />
          </div>
        </div>
      </Tabs>
    </>
  );
};
