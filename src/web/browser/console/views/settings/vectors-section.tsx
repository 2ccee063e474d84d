import type { EmbedderStatus } from "../../../shared/api.ts";
import { FailureNote } from "../../components/failure-note.tsx";
import { Progress } from "../../components/progress.tsx";
import { client } from "../../state/session.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { settingsStrings as words } from "./strings.ts";

const everyMs = 3_000;

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
