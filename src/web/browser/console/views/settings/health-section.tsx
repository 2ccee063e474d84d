import { useSignal } from "@preact/signals";
import type { Readiness, DoctorReport as Report } from "../../../shared/api.ts";
import { type Mood, RelativeTime, StateWord, withCode } from "../../components/facts.tsx";
import { FailureNote } from "../../components/notes.tsx";
import { RequestFailure } from "../../state/client.ts";
import { useLoaded, useRun } from "../../state/loaded.ts";
import { client } from "../../state/session.ts";
import { settingsStrings, settingsStrings as words } from "./strings.ts";

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

const doctorWords = settingsStrings.doctor;
const doctorCommand = "carrel doctor";

type Finding = Report["findings"][number];

const moods: Record<Finding["status"], Mood> = { ok: "good", warning: "warning", failed: "bad" };

/** What `carrel doctor` finds, looked at when it is asked for: it calls the models. */
const DoctorReport = () => {
  const report = useSignal<Report | null>(null);
  const { failure, isRunning, run } = useRun();
  const examine = () =>
    run(async () => {
      report.value = await client.get<Report>("/api/doctor");
    });
  return (
    <div class="doctor">
      <p class="quiet">{doctorWords.what}</p>
      <button type="button" disabled={isRunning.value} onClick={examine}>
        {isRunning.value
          ? doctorWords.examining
          : report.value === null
            ? doctorWords.examine
            : doctorWords.examineAgain}
      </button>
      <FailureNote error={failure.value} />
      <div aria-live="polite">{report.value !== null && <Findings report={report.value} />}</div>
      <p class="quiet">
        {doctorWords.command} <code>{doctorCommand}</code>
      </p>
    </div>
  );
};

/** What is wrong first, the worst of it on top; what is fine behind its number. */
const Findings = ({ report: { findings, checkedAt } }: { report: Report }) => {
  const of = (status: Finding["status"]) => findings.filter((each) => each.status === status);
  const [failed, warnings, fine] = [of("failed"), of("warning"), of("ok")];
  return (
    <>
      <p class="doctor-sum">
        <StateWord mood={failed.length > 0 ? "bad" : warnings.length > 0 ? "warning" : "good"}>
          {doctorWords.sum(failed.length, warnings.length)}
        </StateWord>
        <span class="quiet">
          {doctorWords.at} <RelativeTime at={checkedAt} />
        </span>
      </p>
      <FindingList findings={[...failed, ...warnings]} />
      {fine.length > 0 && (
        <details>
          <summary>{doctorWords.fine(fine.length)}</summary>
          <FindingList findings={fine} />
        </details>
      )}
    </>
  );
};

const FindingList = ({ findings }: { findings: readonly Finding[] }) =>
  findings.length === 0 ? null : (
    <ul class="findings">
      {findings.map(({ check, status, detail, fix }) => (
        <li key={detail}>
          <StateWord mood={moods[status]}>
            {check}: {doctorWords.status[status]}
          </StateWord>
          <p dir="auto">{withCode(detail)}</p>
          {fix !== null && (
            <p dir="auto">
              <strong>{doctorWords.fix}</strong> {withCode(fix)}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
