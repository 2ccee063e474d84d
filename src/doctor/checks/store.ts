import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { prepareNativeAddon } from "../../runtime/native-addon.ts";
import { runtimeFolder } from "../../runtime/runtime-folder.ts";
import { StoreTooNewError } from "../../store/migrations/stored-version.ts";
import { StoreDamagedError } from "../../store/recovery/check-table.ts";
import { inspectTables, type StoreReport } from "../../store/recovery/inspect-tables.ts";
import { type Refusal, tablesIn } from "../../store/recovery/known-tables.ts";
import { type Check, type DoctorContext, type Finding, failed, fine, warning } from "./finding.ts";
import { type RunningServer, runningServer } from "./running-server.ts";

export const storeCheck: Check = {
  name: "store",
  isQuick: false,
  async run(context) {
    const { config, signal } = context;
    const running = await runningServer(config.dataDir, signal);
    const found = running === null ? await checkAtRest(context) : [runningFinding(running)];
    return [...found, ...(await quarantineFindings(config.dataDir))];
  },
};

/** A running server checked its tables when it started; reading them all again would take its disk and memory. */
const runningFinding = (running: RunningServer): Omit<Finding, "check"> => {
  if (running.status === "ready") return fine(`A server runs on the store${running.at}, and is ready.`);
  if (running.status === "degraded") return fine(`A server runs on the store${running.at}; see integrity.`);
  if (running.status === null)
    return failed(`The server that runs on the store does not answer${running.at}.`, "Look at its log, or restart it.");
  return warning(
    `The server that runs on the store says that it is ${running.status}${running.at}.`,
    "Look at its log.",
  );
};

/** No server runs: the files of all tables are opened, as a start does, and nothing is moved. */
const checkAtRest = async ({ config, env, embedded }: DoctorContext): Promise<Omit<Finding, "check">[]> => {
  const { dataDir } = config;
  try {
    if ((await tablesIn(dataDir)).length > 0)
      await prepareNativeAddon(embedded?.lancedb ?? null, await runtimeFolder(config, env, join(dataDir, "runtime")));
    return storeFindings(await inspectTables(dataDir));
  } catch (error) {
    if (error instanceof StoreTooNewError)
      return [failed(error.message, "Carrel does not start on it: start the version that it names, or a newer one.")];
    if (error instanceof StoreDamagedError)
      return [failed(error.message, "Make the data folder and what is in it belong to the user that Carrel runs as.")];
    throw error;
  }
};

const advice =
  "Start Carrel: it sets a broken version aside and uses the one before where it can, and says what it cannot (docs/recovery.md). Keep a copy of the data folder first.";

const missingAdvice = "Start Carrel: it makes the table again. docs/recovery.md says what is lost with it.";

const storeFindings = ({ tables, missing, refusal }: StoreReport): Omit<Finding, "check">[] => {
  if (refusal !== null) return [refusalFinding(refusal)];
  if (tables.length === 0) return [fine("The store is empty.")];
  const faults = [
    ...tables
      .filter(({ fault }) => fault !== null)
      .map(({ name, fault }) => failed(`The table ${name} cannot be read: ${fault}`, advice)),
    ...missing.map(({ name, effect, refusal: why }) =>
      why === null
        ? warning(`The table ${name} is missing: at the next start, ${effect}.`, missingAdvice)
        : refusalFinding(why),
    ),
  ];
  if (faults.length > 0) return faults;
  const documents = tables.find(({ name }) => name === "documents")?.rows ?? 0;
  return [fine(`All ${tables.length} tables can be read. They hold ${documents} documents.`)];
};

/** Carrel does not start on such a store. */
const refusalFinding = ({ what, ways }: Refusal): Omit<Finding, "check"> =>
  failed(`${what}: Carrel does not start.`, `${ways.charAt(0).toUpperCase()}${ways.slice(1)} (docs/recovery.md).`);

const quarantineFindings = async (dataDir: string): Promise<Omit<Finding, "check">[]> => {
  const names = await readdir(join(dataDir, "quarantine")).catch(() => []);
  if (names.length === 0) return [];
  return [
    warning(
      `${join(dataDir, "quarantine")} holds what was found damaged (${names.length} folders).`,
      "docs/recovery.md says what may be lost and how to get it back; delete the folder when it is settled.",
    ),
  ];
};
