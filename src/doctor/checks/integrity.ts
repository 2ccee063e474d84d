import { CommandFailure } from "../../domain/errors.ts";
import { isoTime } from "../../domain/times.ts";
import { type CheckLine, checkReportJson } from "../../health/check-routes.ts";
import { fetchFromSocket } from "../../runtime/operator-socket.ts";
import type { CheckProgress, Damage } from "../../store/contract.ts";
import { checkStore } from "../../store/recovery/check-store.ts";
import { StoreDamagedError } from "../../store/recovery/check-table.ts";
import { type Check, type DoctorContext, failed, fine, prepareTables, type Told, warning } from "./finding.ts";

/** A store of some gigabytes is read in that time. */
const maxReadMs = 20_000;
/** Findings that are named one by one. */
const maxNamed = 10;

export type Report = Extract<CheckLine, { kind: "report" }>;

/**
 * Reads the whole store, or has the server do it that runs on the data directory.
 * @throws CommandFailure that says why it could not be read; the signal's reason
 */
export const checkData = async (
  context: Pick<DoctorContext, "config" | "env" | "embedded" | "signal">,
  onProgress: (progress: CheckProgress) => void,
): Promise<Report> => {
  const { signal, config } = context;
  const { dataDir } = config;
  const response = await fetchFromSocket(dataDir, "/api/check", { method: "POST", signal, timeout: false });
  if (response !== null) return await reportOf(response, onProgress);
  try {
    await prepareTables(context);
    return checkReportJson(await checkStore({ dataDir, onProgress }, signal));
  } catch (error) {
    if (error instanceof StoreDamagedError) throw new CommandFailure(error.message);
    throw error;
  }
};

/** The report at the end of the server's answer. */
const reportOf = async (response: Response, onProgress: (progress: CheckProgress) => void): Promise<Report> => {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of response.ok ? (response.body ?? []) : []) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      const line = JSON.parse(text) as CheckLine;
      if (line.kind === "report") return line;
      if (line.kind === "error") throw new CommandFailure(line.detail);
      onProgress(line);
    }
  }
  throw new CommandFailure(`The server answered ${response.status} and ended without a report: look at its log.`);
};

/** Whether what is stored is as it was written: what `carrel check` does, as far as it comes in a moment. */
export const integrityCheck: Check = {
  name: "integrity",
  isQuick: false,
  async run(context) {
    const known = context.damage?.list();
    if (known !== undefined) return await findings(known, context);
    const late = AbortSignal.timeout(maxReadMs);
    try {
      const { damage } = await checkData(
        { ...context, signal: AbortSignal.any([context.signal, late]) },
        () => undefined,
      );
      return await findings(damage, context);
    } catch (error) {
      context.signal.throwIfAborted();
      if (late.aborted)
        return [
          warning(`Reading the store took more than ${maxReadMs / 1000} s.`, "Run `carrel check`: it has no limit."),
        ];
      if (error instanceof CommandFailure) return [failed(error.message, "Run `carrel check`, and look at the log.")];
      throw error;
    }
  },
};

const findings = async (
  damage: readonly Pick<Damage, "kind" | "where" | "id" | "detail">[],
  { newestBackup }: DoctorContext,
): Promise<Told[]> => {
  if (damage.length === 0) return [fine("No stored row, file or index is known to be damaged.")];
  const backupAt = (await newestBackup?.().catch(() => null))?.completed?.markedAt ?? null;
  const from = backupAt === null ? "a backup; none is known" : `the backup of ${isoTime(backupAt)}`;
  const fix = `Restore it from ${from}. docs/recovery.md says what Carrel makes again by itself at a start.`;
  const named = damage.slice(0, maxNamed).map(({ kind, where, id, detail }) => {
    const of = id === null ? "" : ` (${id})`;
    return failed(`Damaged ${kind} in ${where}${of}: ${detail}.`, fix);
  });
  const more = damage.length - named.length;
  return more === 0 ? named : [...named, failed(`${more} more are damaged.`, "Run `carrel check`: it lists all.")];
};
