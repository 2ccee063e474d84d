import { useSignal } from "@preact/signals";
import type { ConfiguredPart, Trial } from "../../../shared/api.ts";
import { type Mood, StateWord } from "../../components/facts.tsx";
import { FailureNote } from "../../components/notes.tsx";
import { QuotingNote } from "../../components/quoting-note.tsx";
import { durationWords } from "../../components/words.ts";
import { useRun } from "../../state/loaded.ts";
import { client } from "../../state/session.ts";
import { settingsStrings as words } from "./strings.ts";

const moods: Record<Trial["status"], Mood> = { ok: "good", warning: "warning", failed: "bad" };

/** Models and parsers in use; each can be tried, and what it answered is told. */
export const PartsSection = ({ parts }: { parts: readonly ConfiguredPart[] }) => (
  <section>
    <h2>{words.parts}</h2>
    <ul class="parts">
      {parts.map((part) => (
        <PartRow key={part.part} part={part} />
      ))}
    </ul>
    {parts.some(({ part, provider }) => part === "answer" && provider === "builtin") && <QuotingNote isKept />}
  </section>
);

const PartRow = ({ part: { part, provider, model } }: { part: ConfiguredPart }) => {
  const trial = useSignal<Trial | null>(null);
  const { failure, isRunning, run } = useRun();
  const tryIt = () =>
    run(async () => {
      trial.value = null;
      trial.value = await client.send<Trial>("POST", "/api/settings/try", { part });
    });
  return (
    <li>
      <div class="part">
        <span>{words.part[part]}</span>
        <span class="quiet">
          {provider === "builtin" ? words.builtin : provider}
          {model !== null && ` · ${trial.value?.model ?? model}`}
        </span>
        <button type="button" disabled={isRunning.value} aria-label={words.tryThat(words.part[part])} onClick={tryIt}>
          {isRunning.value ? words.trying : words.tryIt}
        </button>
      </div>
      <div class="trial" aria-live="polite">
        {trial.value !== null && <TrialNote trial={trial.value} />}
      </div>
      <FailureNote error={failure.value} />
    </li>
  );
};

const TrialNote = ({ trial: { status, details, tookMs } }: { trial: Trial }) => (
  <>
    <StateWord mood={moods[status]}>
      {words.trial[status]} · {durationWords(tookMs)}
    </StateWord>
    {details.map((detail) => (
      <p key={detail} dir="auto">
        {detail}
      </p>
    ))}
  </>
);
