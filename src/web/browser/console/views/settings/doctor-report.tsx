import { useSignal } from "@preact/signals";
import type { DoctorReport as Report } from "../../../shared/api.ts";
import { FailureNote } from "../../components/failure-note.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { type Mood, StateWord } from "../../components/state-word.tsx";
import { client } from "../../state/session.ts";
import { useRun } from "../../state/use-run.ts";
import { withCode } from "../../with-code.tsx";
import { settingsStrings } from "./strings.ts";

const words = settingsStrings.doctor;
const doctorCommand = "carrel doctor";

type Finding = Report["findings"][number];

const moods: Record<Finding["status"], Mood> = { ok: "good", warning: "warning", failed: "bad" };

/** What `carrel doctor` finds, looked at when it is asked for: it calls the models. */
export const DoctorReport = () => {
  const report = useSignal<Report | null>(null);
  const { failure, isRunning, run } = useRun();
  const examine = () =>
    run(async () => {
      report.value = await client.get<Report>("/api/doctor");
    });
  return (
    <div class="doctor">
      <p class="quiet">{words.what}</p>
      <button type="button" disabled={isRunning.value} onClick={examine}>
        {isRunning.value ? words.examining : report.value === null ? words.examine : words.examineAgain}
      </button>
      <FailureNote error={failure.value} />
      <div aria-live="polite">{report.value !== null && <Findings report={report.value} />}</div>
      <p class="quiet">
        {words.command} <code>{doctorCommand}</code>
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
          {words.sum(failed.length, warnings.length)}
        </StateWord>
        <span class="quiet">
          {words.at} <RelativeTime at={checkedAt} />
        </span>
      </p>
      <FindingList findings={[...failed, ...warnings]} />
      {fine.length > 0 && (
        <details>
          <summary>{words.fine(fine.length)}</summary>
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
            {check}: {words.status[status]}
          </StateWord>
          <p dir="auto">{withCode(detail)}</p>
          {fix !== null && (
            <p dir="auto">
              <strong>{words.fix}</strong> {withCode(fix)}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
