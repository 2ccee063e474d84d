import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { bytesToUnpack } from "../../runtime/native-addon.ts";
import { usualMinFreeBytes } from "../../store/disk/free-space.ts";
import { nearestExisting } from "../../system/mounts.ts";
import { type Check, failed, fine, warning } from "./finding.ts";

/** The unpacked native parts take 200 MB, and tidying a large table needs room for its copy. */
const fewBytes = 1_000_000_000;
const fewShare = 0.05;

export const diskSpaceCheck: Check = {
  name: "disk space",
  isQuick: true,
  async run({ config: { dataDir }, embedded }) {
    const { bavail, blocks, bsize } = await statfs(await nearestExisting(dataDir));
    const toUnpack = bytesToUnpack(embedded?.lancedb ?? null, join(dataDir, "runtime"));
    return [diskSpaceFinding(dataDir, bavail * bsize, blocks * bsize, toUnpack)];
  },
};

const shown = (bytes: number): string =>
  bytes >= 10e9 ? `${Math.floor(bytes / 1e9)} GB` : `${Math.floor(bytes / 1e6)} MB`;

/** @param free bytes left for this user @param total bytes of the disk @param toUnpack bytes of native parts still to come */
export const diskSpaceFinding = (dataDir: string, free: number, total: number, toUnpack = 0) => {
  const left = `${shown(free)} of ${shown(total)} are left on the disk of ${dataDir}`;
  const fix = "Free some space, enlarge the disk, or move the data folder to a larger one.";
  if (free < usualMinFreeBytes) return failed(`Writes are refused: ${left}.`, fix);
  if (free < usualMinFreeBytes + toUnpack)
    return failed(`The next start unpacks ${shown(toUnpack)} of native parts, which need more space: ${left}.`, fix);
  if (free < fewShare * total) return warning(`The disk is nearly full: ${left}.`, fix);
  if (free < fewBytes)
    return warning(`There is little space: ${left}, and ${shown(fewBytes)} may be needed at once.`, fix);
  return fine(`${left}.`);
};
