import type { Principal } from "../domain/records.ts";

/** Requests of one import come one after another: `carrel import` sends some hundred records with each. */
const maxPauseMs = 10 * 60_000;
const maxSeries = 1_000;

/** The imports under way, so that the audit log records each once and not each of its requests. */
interface ImportSeries {
  /** Whether the caller has imported into the organization a moment ago. @param now epoch ms */
  goesOn(caller: Principal, now: number): boolean;
  /** A request of it was done. */
  note(caller: Principal, now: number): void;
}

const nameOf = ({ organizationId, keyId }: Principal): string => JSON.stringify([organizationId, keyId]);

export const createImportSeries = (): ImportSeries => {
  const lastAt = new Map<string, number>();
  return {
    goesOn: (caller, now) => now - (lastAt.get(nameOf(caller)) ?? 0) < maxPauseMs,
    note(caller, now) {
      const name = nameOf(caller);
      lastAt.delete(name);
      lastAt.set(name, now);
      const [oldest] = lastAt.keys();
      if (lastAt.size > maxSeries && oldest !== undefined) lastAt.delete(oldest);
    },
  };
};
