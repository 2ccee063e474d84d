import { type Check, fine } from "./finding.ts";

/** Which file decides: one that lies in the working directory by chance is read too. Its faults stop the doctor before. */
export const settingsCheck: Check = {
  name: "settings",
  isQuick: true,
  run: async ({ settingsFile = null }) => [
    fine(
      settingsFile === null
        ? "No settings file was read: the defaults hold, and the variables that begin with CARREL_."
        : `Read from ${settingsFile}, and from the variables that begin with CARREL_.`,
    ),
  ],
};
