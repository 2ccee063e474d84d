import type { Logger } from "../log/log.ts";
import type { DoctorContext } from "./checks/finding.ts";
import { examine } from "./examine.ts";

/**
 * The short form of `carrel doctor`, during each start: what is wrong is logged. Nothing waits for it; never throws.
 */
export const examineStart = async (context: DoctorContext, log: Pick<Logger, "warn">): Promise<void> => {
  try {
    for (const { check, status, detail, fix } of await examine(context, { isQuick: true }))
      if (status !== "ok") log.warn({ check, status }, `${detail} ${fix ?? ""} (see \`carrel doctor\`)`);
  } catch (error) {
    if (!context.signal.aborted) log.warn({ err: error }, "the short form of carrel doctor failed");
  }
};
