import type { Figure } from "./figure.ts";
import { search } from "./questions.ts";
import type { KeptStore } from "./store.ts";

const restMs = 20_000;

/** From the start of the program to its first answer, and what it keeps in memory at rest. */
export const starts = (store: KeptStore): Promise<Figure[]> =>
  store.read(async (program) => {
    const started = performance.now();
    await search(program, "What of the first question after a start?");
    const first = performance.now() - started;
    await Bun.sleep(restMs);
    const resident = await program.residentMb();
    return [
      { measure: "start to ready", value: program.readyMs, unit: "ms", floor: null, goal: { most: 1_000 } },
      { measure: "the first question", value: first, unit: "ms", floor: null, goal: { most: 300 } },
      { measure: "in memory at rest", value: resident, unit: "MB", floor: null, goal: { most: 800 } },
    ];
  });
