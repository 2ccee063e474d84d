import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { prepareNativeAddon } from "../../program/native-addon.ts";
import { runtimeFolder } from "../../program/runtime-folder.ts";
import { inspectTables, type TableReport } from "../../store/recovery/inspect-tables.ts";
import { type Check, type DoctorContext, type Finding, failed, fine, warning } from "../finding.ts";
import { type RunningServer, runningServer } from "../running-server.ts";

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
  if (running.status === null)
    return failed(`The server that runs on the store does not answer${running.at}.`, "Look at its log, or restart it.");
  return warning(
    `The server that runs on the store says that it is ${running.status}${running.at}.`,
    "Look at its log.",
  );
};

/** No server runs: the files of all tables are opened, as a start does, and nothing is moved. */
const checkAtRest = async ({ config, env, embedded }: DoctorContext): Promise<Omit<Finding, "check">[]> => {
  const names = await readdir(join(config.dataDir, "tables")).catch(() => []);
  if (names.length === 0) return [fine("The store is empty.")];
  await prepareNativeAddon(
    embedded?.lancedb ?? null,
    await runtimeFolder(config, env, join(config.dataDir, "runtime")),
  );
  return storeFindings(await inspectTables(config.dataDir));
};

const advice =
  "Start Carrel: it sets a broken version aside and uses the one before where it can, and says what it cannot (docs/recovery.md). Keep a copy of the data folder first.";

const storeFindings = (tables: readonly TableReport[]): Omit<Finding, "check">[] => {
  const broken = tables.filter(({ fault }) => fault !== null);
  if (broken.length > 0)
    return broken.map(({ name, fault }) => failed(`The table ${name} cannot be read: ${fault}`, advice));
  const documents = tables.find(({ name }) => name === "documents")?.rows ?? 0;
  return [fine(`All ${tables.length} tables can be read. They hold ${documents} documents.`)];
};

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
