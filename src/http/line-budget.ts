import { networkOf } from "../domain/web-address.ts";
import type { Logger } from "../log/log.ts";
import type { Frame } from "./frame.ts";

/** Requests without a key that get their lines in a minute: strangers must not fill the disk. */
const maxOfNetwork = 600;
const maxOfAll = 3_000;
const minuteMs = 60_000;

/**
 * Which requests without a key are logged. At the end of a minute in which some were not, the log says how many; the
 * metrics count all of them.
 * @returns the answer for a request, the same however often it is asked
 */
export const createLineBudget = (log: Pick<Logger, "warn">, periodMs = minuteMs): ((frame: Frame) => boolean) => {
  const answers = new WeakMap<Frame, boolean>();
  const ofNetwork = new Map<string, number>();
  let ofAll = 0;
  let leftOut = 0;
  let isCounting = false;

  const endPeriod = (): void => {
    if (leftOut > 0) log.warn({ requests: leftOut }, "requests without a key were not logged: too many came");
    ofNetwork.clear();
    ofAll = 0;
    leftOut = 0;
    isCounting = false;
  };
  const decide = (network: string): boolean => {
    if (!isCounting) {
      isCounting = true;
      setTimeout(endPeriod, periodMs).unref();
    }
    const own = ofNetwork.get(network) ?? 0;
    if (own >= maxOfNetwork || ofAll >= maxOfAll) {
      leftOut += 1;
      return false;
    }
    ofNetwork.set(network, own + 1);
    ofAll += 1;
    return true;
  };

  return (frame) => {
    const known = answers.get(frame);
    if (known !== undefined) return known;
    const isLogged = decide(networkOf(frame.clientAddress));
    answers.set(frame, isLogged);
    return isLogged;
  };
};
