import type { DoctorContext, Finding } from "./finding.ts";
import { type Check, failed, fine, warning } from "./finding.ts";

/** Carrel did not exist before: a machine whose clock has lost its battery says 1970 or 2000. */
const firstYear = 2025;
const lastYear = 2100;
/** A difference that breaks signatures of S3 and webhooks is five minutes; one minute shows that nothing sets the clock. */
const maxDifferenceMs = 60_000;
const timeoutMs = 5_000;

const fix = "Set the clock, and keep it synchronized: timedatectl set-ntp true.";

/** Servers that the configuration names: one of them may be on another machine, whose clock can be compared. */
const serversOf = ({ models, parser }: DoctorContext["config"]): string[] => {
  const addresses = [models.answer, models.embedding, models.reranker, parser].map(({ baseUrl }) => baseUrl);
  return [...new Set(addresses.filter((address) => address !== null))].filter(
    (address) => !/^https?:\/\/(?:localhost|127\.|\[::1\])/.test(address),
  );
};

/** What a server's `Date` header says; null if it cannot be reached or does not say. */
const timeAt = async (address: string, signal: AbortSignal): Promise<number | null> => {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(address, { method: "HEAD", redirect: "manual", signal: limit });
    const time = Date.parse(response.headers.get("date") ?? "");
    return Number.isNaN(time) ? null : time;
  } catch {
    return null;
  }
};

export const clockCheck: Check = {
  name: "clock",
  isQuick: false,
  async run({ config, signal }) {
    const times = await Promise.all(serversOf(config).map((address) => timeAt(address, signal)));
    return [clockFinding(Date.now(), times.find((time) => time !== null) ?? null)];
  },
};

/** @param there the time that another machine tells, null where none does */
export const clockFinding = (now: number, there: number | null): Omit<Finding, "check"> => {
  const shown = new Date(now).toISOString();
  const year = new Date(now).getUTCFullYear();
  if (year < firstYear || year > lastYear)
    return failed(`The clock says ${shown}: keys that expire and certificates are checked against it.`, fix);
  if (there === null) return fine(`The clock says ${shown}.`);
  const differenceMs = Math.abs(now - there);
  return differenceMs > maxDifferenceMs
    ? warning(`The clock differs by ${Math.round(differenceMs / 1000)} s from that of a configured server.`, fix)
    : fine(`The clock says ${shown}, as that of a configured server does.`);
};
