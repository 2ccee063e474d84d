import type { Readiness } from "../../../shared/api.ts";
import { RequestFailure } from "../../client.ts";
import { FailureNote } from "../../components/failure-note.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { client } from "../../state/session.ts";
import { useLoaded } from "../../state/use-loaded.ts";
import { DoctorReport } from "./doctor-report.tsx";
import { settingsStrings as words } from "./strings.ts";

const everyMs = 10_000;

type Health = Omit<Readiness, "status"> & { status: "ready" | keyof typeof words.healthStates };

/** A server that is not ready says so in an answer of the same shape, with 503. */
const loadHealth = async (stop: AbortSignal): Promise<Health> => {
  try {
    return await client.get<Readiness>("/health/ready", {}, stop);
  } catch (error) {
    if (error instanceof RequestFailure && error.status === 503 && "problems" in error.problem)
      return error.problem as unknown as Health;
    throw error;
  }
};

/** Whether the server works, and which of its models failed the last time; what else is found when it is looked for. */
export const HealthSection = () => {
  const { value, error } = useLoaded(loadHealth, [], everyMs);
  const failing = value?.models.filter(({ state }) => state === "failing") ?? [];
  return (
    <section class="health">
      <h2>{words.health}</h2>
      <FailureNote error={error} />
      {value !== undefined && error === null && (
        <StateWord mood={value.status === "ready" ? "good" : "bad"}>
          {value.status === "ready" ? words.healthReady : words.healthStates[value.status]}
        </StateWord>
      )}
      {value?.problems.map((problem) => (
        <p key={problem}>{words.problems[problem]}</p>
      ))}
      {failing.map(({ use }) => (
        <StateWord key={use} mood="warning">
          {words.modelFails(words.part[use])}
        </StateWord>
      ))}
      <DoctorReport />
    </section>
  );
};
