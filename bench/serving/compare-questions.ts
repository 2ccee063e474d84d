import { cpSync } from "node:fs";
import { join } from "node:path";
import { ms, quantile, show } from "./figures.ts";
import { createQueryFloor } from "./floors.ts";
import { type Program, post } from "./program.ts";

/** Questions asked first, whose times do not count. */
const warmUp = 20;

/**
 * Asks each question over HTTP and, by turns, with LanceDB's calls alone over a copy of the data; prints both and the
 * ratio of their medians.
 * @param folder that the stopped program's data lie under
 * @param start starts it again
 * @returns the program, still running
 */
export const compareQuestions = async (
  folder: string,
  start: () => Promise<Program>,
  questions: readonly string[],
): Promise<Program> => {
  // A copy: the running program's maintenance removes what another reader still has open.
  cpSync(join(folder, "data"), join(folder, "copy"), { recursive: true });
  const program = await start();
  const floor = await createQueryFloor(join(folder, "copy"));
  const overHttp: number[] = [];
  const raw: number[] = [];
  for (const [at, query] of questions.entries()) {
    const started = performance.now();
    await post(program, "/api/search", { query });
    const elapsed = performance.now() - started;
    const rawMs = await floor(query);
    if (at < warmUp) continue;
    overHttp.push(elapsed);
    raw.push(rawMs);
  }
  show("question to snippets over HTTP, p50 · p95", `${ms(quantile(overHttp, 0.5))} · ${ms(quantile(overHttp, 0.95))}`);
  show("LanceDB's calls alone, p50 · p95", `${ms(quantile(raw, 0.5))} · ${ms(quantile(raw, 0.95))}`);
  show("ratio of p50 (aim: at most 1.5)", (quantile(overHttp, 0.5) / quantile(raw, 0.5)).toFixed(2));
  return program;
};
