import { describeParts, type ResidentParts, residentParts } from "./resident-parts.ts";

const lookEveryMs = 100;

const totalOf = (parts: ResidentParts): number => Object.values(parts).reduce((sum, value) => sum + value, 0);

export interface PartsWatch {
  /** The parts at the highest moment so far. */
  highest(): ResidentParts;
  stop(): void;
}

/**
 * Looks ten times a second at what the resident set of a process consists of (Linux).
 * @param printEveryMs prints a line of parts so often; 0: none
 */
export const watchParts = (pid: number, printEveryMs: number): PartsWatch => {
  let highest = residentParts(pid);
  const startedAt = performance.now();
  let printedAt = startedAt;
  const timer = setInterval(() => {
    let parts: ResidentParts;
    try {
      parts = residentParts(pid);
    } catch {
      return clearInterval(timer); // It has ended.
    }
    if (totalOf(parts) > totalOf(highest)) highest = parts;
    const now = performance.now();
    if (printEveryMs === 0 || now - printedAt < printEveryMs) return;
    printedAt = now;
    console.log(`${((now - startedAt) / 1_000).toFixed(1).padStart(6)} s: ${describeParts(parts)}`);
  }, lookEveryMs);
  return { highest: () => highest, stop: () => clearInterval(timer) };
};
