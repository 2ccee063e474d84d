import type { Document } from "../../../shared/api.ts";
import { FailureNote } from "../../components/failure-note.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { client } from "../../state/session.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { settingsStrings as words } from "./strings.ts";

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
