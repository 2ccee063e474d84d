import { useSignal } from "@preact/signals";
import { Check } from "lucide";
import type { ComponentChildren } from "preact";
import type { Problem } from "../../shared/api.ts";
import { Icon, writeTo } from "../../shared/controls.tsx";
import { serverAddress } from "../../shared/prefix.ts";
import { RequestFailure } from "../state/client.ts";
import { commands } from "../state/commands.ts";
import { markDone, stepsDone } from "../state/first-steps.ts";
import { useLoaded, useRun } from "../state/loaded.ts";
import { client, mayWrite, session } from "../state/session.ts";
import { CodeBox } from "./facts.tsx";
import { FailureNote } from "./notes.tsx";
import { QuotingNote } from "./quoting-note.tsx";
import { Tabs } from "./view-header.tsx";

const words = {
  done: "Done:",
  add: "Add a document",
  addLead: "Drop files or folders anywhere on this window: PDF, Office, HTML, e-mail, text and more.",
  addButton: "Add documents",
  guides: "Load the guides",
  guidesLead: "Nothing at hand? Load Carrel's own documentation, and ask about it.",
  loadingGuides: "Loading the guides …",
  guidesLoaded: (count: number) => `${count} guides are being read.`,
  readOnly: "This key only reads. Somebody with a key of role writer adds documents.",
  ask: "Ask something",
  askLead: "The answer comes with its sources, each one click from the page it stands on.",
  askButton: "Ask a question",
  call: "Call it from your program",
  callLead: "The same answers over HTTP. Put a key into the variable KEY first.",
  languages: "Programming languages",
};
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
  const loaded = useSignal<number | null>(null);
  const { failure, isRunning, run } = useRun();
  // The documents view offers adding; its key is `a`.
  const add = commands.value.find(({ keys }) => keys === "a");
  const load = () =>
    run(async () => {
      loaded.value = await loadGuides();
    });
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
          <button type="button" disabled={isRunning.value} onClick={load}>
            {isRunning.value ? words.loadingGuides : words.guides}
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
      <Tabs label={words.languages} tabs={examples} selected={language.value} onSelect={writeTo(language)}>
        <CodeBox code={shown?.code ?? ""} onCopied={() => markDone("called")} />
      </Tabs>
    </>
  );
};

/** Programs that ask a question over HTTP. @param server its address, as the browser reaches it */
const callExamples = (server: string) => [
  {
    id: "curl",
    label: "curl",
    code: `curl ${server}/api/query \\
  -H "Authorization: Bearer $KEY" \\
  -d '{"query": "Which files can it read?"}'`,
  },
  {
    id: "javascript",
    label: "JavaScript",
    code: `const answer = await fetch("${server}/api/query", {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.KEY}\`,
    "content-type": "application/json",
  },
  body: JSON.stringify({ query: "Which files can it read?" }),
});
console.log((await answer.json()).answer);`,
  },
  {
    id: "python",
    label: "Python",
    code: `import json, os, urllib.request

request = urllib.request.Request(
    "${server}/api/query",
    data=json.dumps({"query": "Which files can it read?"}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["KEY"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer)["answer"])`,
  },
];

/** Where this server has its own documentation; the page says so. */
const guidesPath = (): string => document.querySelector<HTMLElement>("#console")?.dataset.guides ?? "";

/**
 * Puts Carrel's own documentation into a partition, to be asked. Doing it again changes nothing but what is new.
 * @returns how many guides there are @throws RequestFailure, Unreachable
 */
const loadGuides = async (): Promise<number> => {
  const guides = (await (await client.fetch(guidesPath())).json()) as Guide[];
  const lines = guides.map(({ externalId, name, text }) =>
    JSON.stringify({ name, text, partition: guidesPartition, metadata: { externalId }, upsert: true }),
  );
  const answer = await client.fetch("/api/ingest/batch", {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
  for (const line of (await answer.text()).split("\n").filter((each) => each !== "")) {
    const { error } = JSON.parse(line) as { error?: Partial<Problem> };
    if (error !== undefined) throw new RequestFailure(error.status ?? 500, error);
  }
  return guides.length;
};

/** What the documents are made of that the guides become (src/web/read-guides.ts). */
interface Guide {
  externalId: string;
  name: string;
  /** Markdown. */
  text: string;
}

/** The partition that the guides go into. */
const guidesPartition = "Carrel guides";
