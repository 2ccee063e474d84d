import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";

/** The system lets one process in a tenth of a second change this, whoever asks (unless as root). */
const tryAgainMs = 150;
const maxTries = 20;

/**
 * Lets a process wait for this one. Linux shares each processor between sessions first and between the processes of one
 * session then (sched(7), "The autogroup feature"): a process with a session of its own would get as much as this one with
 * all its threads, whatever its niceness. So its session gets the niceness too. What the system does not allow stays undone.
 * @param niceness 1 to 19, added to this one's own: the more, the longer it waits
 */
export const lowerPriority = (pid: number, niceness: number): void => {
  try {
    os.setPriority(pid, Math.min(19, os.getPriority() + niceness));
  } catch {
    // The process may have ended already, or the system does not allow it.
  }
  lowerSession(pid, niceness, 1);
};

const lowerSession = (pid: number, niceness: number, attempt: number): void => {
  try {
    // This process's own session keeps its priority.
    if (sessionOf(pid) === sessionOf("self")) return;
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    const isTooSoon = error instanceof Error && "code" in error && error.code === "EAGAIN";
    if (isTooSoon && attempt < maxTries) setTimeout(lowerSession, tryAgainMs, pid, niceness, attempt + 1).unref();
  }
};

/** As "/autogroup-62". @throws where the process has ended, or the system knows no such groups */
const sessionOf = (pid: number | "self"): string | undefined =>
  readFileSync(`/proc/${pid}/autogroup`, "utf8").split(" ")[0];
