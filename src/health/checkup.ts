import { unlessAborted } from "../async/waiting.ts";

/** What one check of `carrel doctor` found. */
export interface Finding {
  check: string;
  /** `failed`: Carrel does not work, or not as configured. `warning`: it works, and may not for long. */
  status: "ok" | "warning" | "failed";
  /** What was found, in a sentence. */
  detail: string;
  /** What to do; null where nothing is to be done. */
  fix: string | null;
}

/** What the checks found, and when they were made. */
interface CheckupReport {
  /** Epoch ms. */
  checkedAt: number;
  findings: Finding[];
}

/** The checks of `carrel doctor`, made by a server about itself. */
export interface Checkup {
  /**
   * Makes the checks. Callers at one time share them, and for some seconds the last report is given again: the checks
   * call models and start a parser.
   * @throws the signal's reason; what the checks throw
   */
  report(signal: AbortSignal): Promise<CheckupReport>;
}

/** Models may be billed by the call: a page that loads again and again does not repeat them. */
const keptMs = 5_000;

interface UnderWay {
  stop: AbortController;
  callers: number;
  report: Promise<CheckupReport>;
}

/**
 * @param examine makes all checks; the signal fires when nobody waits for them any more
 * @param now milliseconds, in place of the clock
 */
export const createCheckup = (
  examine: (signal: AbortSignal) => Promise<Finding[]>,
  now: () => number = () => performance.now(),
): Checkup => {
  let last: { at: number; report: CheckupReport } | null = null;
  let underWay: UnderWay | null = null;

  const begin = (): UnderWay => {
    const stop = new AbortController();
    const made = examine(stop.signal).then((findings) => {
      const report = { checkedAt: Date.now(), findings };
      last = { at: now(), report };
      return report;
    });
    const begun: UnderWay = { stop, callers: 0, report: made };
    const end = (): void => {
      if (underWay === begun) underWay = null;
    };
    made.then(end, end);
    return begun;
  };

  return {
    async report(signal) {
      signal.throwIfAborted();
      if (last !== null && now() - last.at < keptMs) return last.report;
      underWay ??= begin();
      const joined = underWay;
      joined.callers += 1;
      try {
        return await unlessAborted(joined.report, signal);
      } finally {
        joined.callers -= 1;
        if (joined.callers === 0) {
          joined.stop.abort(new DOMException("nobody waits for the checks", "AbortError"));
          // Who comes now does not join checks that are ending.
          if (underWay === joined) underWay = null;
        }
      }
    },
  };
};
