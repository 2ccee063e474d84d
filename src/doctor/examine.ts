import { messageOf } from "../domain/errors.ts";
import type { Logger } from "../log/log.ts";
import { backupCheck } from "./checks/backup.ts";
import { type Check, type DoctorContext, type Finding, failed } from "./checks/finding.ts";
import { foldersCheck, sitesCheck } from "./checks/folders.ts";
import { integrityCheck } from "./checks/integrity.ts";
import {
  clockCheck,
  dataFolderCheck,
  diskSpaceCheck,
  fileSystemCheck,
  memoryCheck,
  processorCheck,
  temporaryFolderCheck,
} from "./checks/machine.ts";
import { modelsCheck, parserCheck } from "./checks/models.ts";
import { certificateCheck, erasureCheck, portCheck, settingsCheck, storeCheck } from "./checks/server.ts";
import { sharedStoreCheck } from "./checks/shared-store.ts";
import { webhooksCheck } from "./checks/webhooks.ts";

/** In the order in which a person would look. */
const checks: readonly Check[] = [
  settingsCheck,
  processorCheck,
  memoryCheck,
  dataFolderCheck,
  fileSystemCheck,
  temporaryFolderCheck,
  diskSpaceCheck,
  storeCheck,
  sharedStoreCheck,
  erasureCheck,
  integrityCheck,
  portCheck,
  certificateCheck,
  clockCheck,
  modelsCheck,
  parserCheck,
  foldersCheck,
  sitesCheck,
  webhooksCheck,
  backupCheck,
];

/** A check that hangs is a finding too: a model server may be silent for as long as its own setting allows. */
const usualMaxCheckMs = 120_000;

interface ExaminationOptions {
  /** Only those that take milliseconds and call no server. */
  isQuick?: boolean;
  /** How long one check may take; two minutes unless given. */
  maxCheckMs?: number;
}

/**
 * Makes the checks, all at once. Nothing is changed, and a server that runs on the data folder is not disturbed.
 * @returns in the order of the list; a check that breaks is a finding
 */
export const examine = async (
  context: DoctorContext,
  { isQuick = false, maxCheckMs = usualMaxCheckMs }: ExaminationOptions = {},
): Promise<Finding[]> => {
  const made = checks.filter((check) => check.isQuick || !isQuick).map((check) => make(check, context, maxCheckMs));
  return (await Promise.all(made)).flat();
};

const make = async (check: Check, context: DoctorContext, maxCheckMs: number): Promise<Finding[]> => {
  const late = AbortSignal.timeout(maxCheckMs);
  const signal = AbortSignal.any([context.signal, late]);
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    const found = await Promise.race([check.run({ ...context, signal }), ended.promise]);
    return found.map((finding) => ({ check: check.name, ...finding }));
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    const reason = late.aborted ? `did not end within ${maxCheckMs / 1000} s` : `broke: ${messageOf(error)}`;
    return [{ check: check.name, ...failed(`The check ${reason}.`, "Report this as a bug of Carrel.") }];
  } finally {
    signal.removeEventListener("abort", end);
  }
};

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
