import { join } from "node:path";
import type { Config } from "../../../config/schema.ts";
import type { FileParser } from "../../../providers/contract.ts";
import type { NewestBackup } from "../../backup/journal.ts";
import type { Finding } from "../../health/checkup.ts";
import type { CheckedModels } from "../../models/check/check-models.ts";
import type { EmbeddedParts } from "../../runtime/embedded-parts.ts";
import { prepareNativeAddon } from "../../runtime/native-addon.ts";
import { runtimeFolder } from "../../runtime/runtime-folder.ts";
import type { StoreDamage } from "../../store/contract.ts";
import { tablesIn } from "../../store/recovery/known-tables.ts";

export type { Finding };

/** What the checks look at. */
export interface DoctorContext {
  config: Config;
  /** The settings file that was read, absolute; null, or left out, for none. */
  settingsFile?: string | null;
  env: Record<string, string | undefined>;
  embedded: EmbeddedParts | null;
  /** What became of the backups; left out if this program makes none. */
  newestBackup?: (() => Promise<NewestBackup>) | undefined;
  /** Of the server that makes the checks about itself: what it knows to be damaged; left out: the store is asked or read. */
  damage?: Pick<StoreDamage, "list"> | undefined;
  /** Of the server that makes the checks about itself; left out: the checks make their own, and close them. */
  tried?: { models: CheckedModels; builtinParser: FileParser } | undefined;
  signal: AbortSignal;
}

/** Looks at one thing, and changes nothing. May find several. */
export interface Check {
  name: string;
  /** Takes milliseconds and calls no server: it is also made at each start. */
  isQuick: boolean;
  run(context: DoctorContext): Promise<Told[]>;
}

/** What a check finds; the examination adds its name. */
export type Told = Omit<Finding, "check">;

export const fine = (detail: string): Told => ({ status: "ok", detail, fix: null });
export const warning = (detail: string, fix: string): Told => ({ status: "warning", detail, fix });
export const failed = (detail: string, fix: string): Told => ({ status: "failed", detail, fix });

/** Makes the tables of a store readable that no server has open. */
export const prepareTables = async ({
  config,
  env,
  embedded,
}: Pick<DoctorContext, "config" | "env" | "embedded">): Promise<void> => {
  const { dataDir } = config;
  if ((await tablesIn(dataDir)).length > 0)
    await prepareNativeAddon(embedded?.lancedb ?? null, await runtimeFolder(config, env, join(dataDir, "runtime")));
};
