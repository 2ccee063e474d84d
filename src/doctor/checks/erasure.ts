import { type Check, failed, fine } from "./finding.ts";
import { runningServer } from "./running-server.ts";

/** Whether what was deleted leaves the disk. Only the server that does it knows. */
export const erasureCheck: Check = {
  name: "erasure",
  isQuick: false,
  async run({ config: { dataDir }, signal }) {
    const running = await runningServer(dataDir, signal);
    if (running === null) return [fine("No server runs: what is left to be erased is erased after the next start.")];
    if (!running.problems.includes("erasure_failed"))
      return [fine(`What is deleted is erased from the disk${running.at}.`)];
    return [
      failed(
        `What was deleted could not be erased from the disk again and again${running.at}. It is not found any more, but its bytes are there.`,
        "Free some space where the disk is full. Else look at the log for `could not be erased`: it names the table and the row (docs/deletion.md).",
      ),
    ];
  },
};
