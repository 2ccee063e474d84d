import { join } from "node:path";
import type { CheckLine } from "../../health/check-routes.ts";
import { fetchFromSocket } from "../../program/listeners/operator-socket.ts";
import { prepareNativeAddon } from "../../program/native-addon.ts";
import { runtimeFolder } from "../../program/runtime-folder.ts";
import type { Damage } from "../../store/contract.ts";
import { checkStore } from "../../store/recovery/check-store.ts";
import { StoreDamagedError } from "../../store/recovery/check-table.ts";
import { tablesIn } from "../../store/recovery/known-tables.ts";
import { type Check, type DoctorContext, type Finding, failed, fine, warning } from "../finding.ts";

/** A store of some gigabytes is read in that time; of a larger one, what is known or found by then is told. */
const maxReadMs = 20_000;
/** Findings that are named one by one. */
const maxNamed = 10;

type Found = Pick<Damage, "kind" | "where" | "id" | "detail">;

/** Whether what is stored is as it was written: what `carrel check` does, as far as it comes in a moment. */
export const integrityCheck: Check = {
  name: "integrity",
  isQuick: false,
  async run(context) {
    const known = context.damage?.list();
    if (known !== undefined) return findings([...known], true, context);
    const late = AbortSignal.timeout(maxReadMs);
    const signal = AbortSignal.any([context.signal, late]);
    try {
      return findings((await askServer(context, signal)) ?? (await readStore(context, signal)), true, context);
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof StoreDamagedError) return []; // the check of the store says so
      if (late.aborted) return findings(await knownToServer(context), false, context);
      throw error;
    }
  },
};

const readStore = async ({ config, env, embedded }: DoctorContext, signal: AbortSignal): Promise<Found[]> => {
  const { dataDir } = config;
  if ((await tablesIn(dataDir)).length > 0)
    await prepareNativeAddon(embedded?.lancedb ?? null, await runtimeFolder(config, env, join(dataDir, "runtime")));
  return (await checkStore({ dataDir, onProgress: () => undefined }, signal)).damage;
};

/** @returns null where no server runs */
const askServer = async ({ config }: DoctorContext, signal: AbortSignal): Promise<Found[] | null> => {
  const response = await fetchFromSocket(config.dataDir, "/api/check", { method: "POST", signal }).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      throw error;
    },
  );
  if (response === null) return null;
  const last = (await response.text()).trimEnd().split("\n").at(-1) ?? "";
  const line = JSON.parse(last) as CheckLine;
  if (line.kind !== "report") throw new Error("the server ended its check without a report: look at its log");
  return line.damage;
};

/** What the server found before, where it did not end in time: its readiness says whether there is anything. */
const knownToServer = async ({ config, signal }: DoctorContext): Promise<Found[]> => {
  const response = await fetchFromSocket(config.dataDir, "/health/ready", { signal }).catch(() => null);
  const { problems = [] } = ((await response?.json().catch(() => null)) ?? {}) as { problems?: string[] };
  if (!problems.includes("data_damaged")) return [];
  return [{ kind: "table", where: "the store", id: null, detail: "the running server knows of damaged data" }];
};

const findings = async (
  damage: readonly Found[],
  isWhole: boolean,
  { newestBackup }: DoctorContext,
): Promise<Omit<Finding, "check">[]> => {
  const unfinished = isWhole
    ? []
    : [
        warning(
          `Not all of the store was read: it took longer than ${maxReadMs / 1000} s.`,
          "Run `carrel check`: it has no time limit.",
        ),
      ];
  if (damage.length === 0) return isWhole ? [fine("No stored row, file or index is known to be damaged.")] : unfinished;
  const backupAt = (await newestBackup?.().catch(() => null))?.completed?.markedAt ?? null;
  const from = backupAt === null ? "a backup; none is known" : `the backup of ${new Date(backupAt).toISOString()}`;
  const fix = `Restore it from ${from}. docs/recovery.md says what Carrel makes again by itself at a start.`;
  const named = damage.slice(0, maxNamed).map(({ kind, where, id, detail }) => {
    const of = id === null ? "" : ` (${id})`;
    return failed(`Damaged ${kind} in ${where}${of}: ${detail}.`, fix);
  });
  const more = damage.length - named.length;
  return [
    ...named,
    ...(more > 0 ? [failed(`${more} more are damaged.`, "Run `carrel check`: it lists all.")] : []),
    ...unfinished,
  ];
};
