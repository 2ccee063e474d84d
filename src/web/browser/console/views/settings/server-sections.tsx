import { useSignal } from "@preact/signals";
import type { ConfiguredPart, Document, EmbedderStatus, StorageUse, Trial } from "../../../shared/api.ts";
import { type Mood, Progress, RelativeTime, StateWord } from "../../components/facts.tsx";
import { FailureNote } from "../../components/notes.tsx";
import { QuotingNote } from "../../components/quoting-note.tsx";
import { durationWords, sizeWords } from "../../components/words.ts";
import { useLoaded, useRun } from "../../state/loaded.ts";
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

const everyMs = 3_000;
const maxShown = 10;

/** Documents that are being read, those that wait after them, and how many there are. */
const loadJobs = async (stop: AbortSignal) => {
  const [processing, pending] = await Promise.all(
    (["processing", "pending"] as const).map((status) =>
      client.list<Document>("/api/document", { status, limit: maxShown, sortOrder: "asc" }, stop),
    ),
  );
  const documents = [...(processing?.items ?? []), ...(pending?.items ?? [])].slice(0, maxShown);
  return { documents, total: (processing?.total ?? 0) + (pending?.total ?? 0) };
};

export const JobsSection = () => {
  const { value, error } = useLoaded(loadJobs, [], everyMs);
  return (
    <section>
      <h2>
        {words.jobs}
        {value !== undefined && value.total > 0 && <span class="quiet count"> {value.total.toLocaleString()}</span>}
      </h2>
      {value === undefined && <FailureNote error={error} />}
      {value?.total === 0 && <p class="quiet">{words.noJobs}</p>}
      {value !== undefined && value.total > 0 && (
        <ul class="jobs">
          {value.documents.map(({ id, name, status, reading, createdAt }) => (
            <li key={id}>
              <a href={`/documents/${id}`}>
                <bdi>{name}</bdi>
              </a>
              <StateWord mood={status === "processing" ? "wait" : "quiet"}>
                {reading !== null
                  ? words.pageNow(reading.page, reading.pages)
                  : status === "processing"
                    ? words.status.processing
                    : words.status.pending}
              </StateWord>
              <span class="quiet">
                <RelativeTime at={createdAt} />
              </span>
            </li>
          ))}
          {value.total > value.documents.length && (
            <li class="quiet">{words.andMore(value.total - value.documents.length)}</li>
          )}
        </ul>
      )}
    </section>
  );
};

/** What the data takes on the disk. */
export const StorageSection = () => {
  const { value, error } = useLoaded((stop) => client.get<StorageUse>("/api/settings/storage", {}, stop));
  return (
    <section>
      <h2>{words.storage}</h2>
      {value === undefined ? (
        <FailureNote error={error} />
      ) : (
        <>
          <dl class="figures">
            {(["tables", "files", "other", "free"] as const).map((what) => {
              const bytes = value[what];
              return (
                bytes !== null && (
                  <div key={what}>
                    <dt class="quiet">{words[what]}</dt>
                    <dd>{sizeWords(bytes)}</dd>
                  </div>
                )
              );
            })}
          </dl>
          {value.partial && <p class="quiet">{words.partial}</p>}
        </>
      )}
    </section>
  );
};

/** The embedding model in use, what still lacks its vectors, and a change of it. */
export const VectorsSection = () => {
  const { value, error } = useLoaded((stop) => client.get<EmbedderStatus>("/api/embedder", {}, stop), [], everyMs);
  return (
    <section>
      <h2>{words.vectors}</h2>
      {value === undefined ? <FailureNote error={error} /> : <Vectors status={value} />}
    </section>
  );
};

const Vectors = ({ status: { active, building, pending, error } }: { status: EmbedderStatus }) => (
  <div class="vectors">
    <p>
      {words.vectorsInUse(active.model, active.dimensions)}{" "}
      <span class="quiet">{pending === 0 ? words.vectorsWhole : words.vectorsPending(pending)}</span>
    </p>
    {building !== null && (
      <>
        <p>{words.vectorsChange(building.model)}</p>
        <Progress label={words.vectorsChange(building.model)} value={building.done} max={building.total}>
          {words.vectorsDone(building.done, building.total)}
        </Progress>
        <p class="quiet">{words.vectorsMeanwhile}</p>
      </>
    )}
    <FailureNote error={building?.error ?? error} />
  </div>
);
