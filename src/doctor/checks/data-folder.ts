import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { whyNotWritable } from "../../system/faults.ts";
import { nearestExisting } from "../../system/mounts.ts";
import { type Check, type DoctorContext, failed, fine, warning } from "./finding.ts";

export const dataFolderCheck: Check = {
  name: "data folder",
  isQuick: true,
  run: async ({ config }) => [await dataFolderFinding(config)],
};

const dataFolderFinding = async ({ dataDir }: DoctorContext["config"]) => {
  const folder = resolve(dataDir);
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (there instanceof Error) {
    if (there.code !== "ENOENT") return failed(`${folder} cannot be read (${there.code}).`, rightsFix(folder));
    const parent = await nearestExisting(folder);
    return await access(parent, constants.W_OK).then(
      () => fine(`${folder} is created at the first start.`),
      () => failed(`${folder} does not exist, and this user may not create it in ${parent}.`, rightsFix(parent)),
    );
  }
  if (!there.isDirectory()) return failed(`${folder} is not a folder.`, "Set dataDir (CARREL_DATA_DIR) to a folder.");
  const reason = await whyNotWritable(folder);
  if (reason === "ENOSPC" || reason === "EDQUOT")
    return failed(`Nothing can be written to ${folder}: its disk is full.`, "Free some space on it.");
  if (reason !== null) return failed(`This user may not write to ${folder} (${reason}).`, rightsFix(folder));
  const isOpen = process.platform !== "win32" && (there.mode & 0o077) !== 0;
  return isOpen
    ? warning(
        `Other users of the machine may look into ${folder} (mode ${(there.mode & 0o777).toString(8)}).`,
        `Run: chmod 700 ${folder}`,
      )
    : fine(`${folder} is writable, and other users have no access.`);
};

const rightsFix = (folder: string): string =>
  `Make ${folder} belong to the user that Carrel runs as (chown), or set dataDir (CARREL_DATA_DIR) to another folder.`;
