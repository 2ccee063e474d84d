import type { KillableServer } from "../../bench/serving/killable-server.ts";
import { withPatience } from "./patience.ts";
import type { Report } from "./report.ts";
import { storedFaults } from "./stored-faults.ts";

/** How long an orderly stop may take. */
const maxStopMs = 60_000;

/** Stops the server in an orderly way. */
export const stopServer = async (server: KillableServer, report: Report, moment: string): Promise<void> => {
  const status = await withPatience(server.stop(), maxStopMs);
  if (status === 0) return;
  report.starts.push(
    `${moment}: the server was asked to stop and ${status === null ? "does not end" : `ended with ${status}`}`,
  );
  await server.kill();
};

/** Looks into the tables and the folder of files of a server that has stopped in an orderly way. */
export const auditStore = async (dataDir: string, report: Report, moment: string): Promise<void> => {
  for (const [what, faults] of Object.entries(await storedFaults(dataDir)))
    for (const fault of faults) report.half.push(`${moment}: in the store, ${what}: ${fault}`);
};
