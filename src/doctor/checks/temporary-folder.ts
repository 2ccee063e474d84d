import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { type Check, fine, warning } from "./finding.ts";

export const temporaryFolderCheck: Check = {
  name: "temporary folder",
  isQuick: true,
  async run({ config, env }) {
    const wanted = env.TMPDIR || "/tmp";
    const isWritable = (folder: string): Promise<boolean> =>
      access(folder, constants.W_OK | constants.X_OK).then(
        () => true,
        () => false,
      );
    if (await isWritable(wanted)) return [fine(`${wanted} can be written to. Nothing is run from it.`)];
    const instead = (await isWritable("/tmp")) ? "/tmp" : join(config.dataDir, "runtime/tmp");
    return [
      warning(
        `This user may not write to the temporary folder ${wanted}: ${instead} is used.`,
        "Set TMPDIR to a folder that can be written to.",
      ),
    ];
  },
};
