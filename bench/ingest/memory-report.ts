import { show } from "../serving/figures.ts";
import { cpuSecondsOf, peakMbOf } from "../serving/process-figures.ts";
import { type Program, post } from "../serving/program.ts";
import { describeParts, residentParts } from "../serving/resident-parts.ts";
import { untilVectors } from "../serving/until-vectors.ts";
import { watchParts } from "../serving/watch-parts.ts";

interface ReportOptions {
  /** How often it is asked whether all vectors are made. */
  pollMs: number;
  /** How long the server rests then. */
  restMs: number;
  /** A line of parts so often; 0: none. */
  printEveryMs: number;
}

/**
 * What work costs a fresh server, which is warmed up first: CPU time, and the highest resident set that the kernel saw
 * (VmHWM), until the work is done and until all vectors are made; what the highest seen here consisted of; what is left
 * after a rest.
 * @param work gets what prints both figures so far
 */
export const reportMemory = async (
  program: Program,
  { pollMs, restMs, printEveryMs }: ReportOptions,
  work: (tell: (cpu: string, highest: string) => void) => Promise<void>,
): Promise<void> => {
  const { pid } = program;
  await post(program, "/api/ingest", { name: "warm", text: "Warms up what is loaded on first use." });
  await post(program, "/api/search", { query: "what is loaded" });
  show("before", describeParts(residentParts(pid)));
  const cpuBefore = cpuSecondsOf(pid);
  const tell = (cpu: string, highest: string): void => {
    show(cpu, `${(cpuSecondsOf(pid) - cpuBefore).toFixed(1)} s`);
    show(highest, `${peakMbOf(pid).toFixed(0)} MB`);
  };
  const watch = watchParts(pid, printEveryMs);
  await work(tell);
  await untilVectors(program, pollMs);
  await Bun.sleep(restMs);
  watch.stop();
  tell("CPU with upkeep and vectors", "highest of all (VmHWM)");
  show("the highest that was seen", describeParts(watch.highest()));
  show(`${restMs / 1_000} s later`, describeParts(residentParts(pid)));
};
