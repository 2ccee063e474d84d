import { join } from "node:path";
import { fileSystemOf, type Mount } from "../../system/mounts.ts";
import { type Check, type DoctorContext, type Finding, failed, fine, warning } from "./finding.ts";

export const fileSystemCheck: Check = {
  name: "file system",
  isQuick: true,
  async run({ config, embedded }) {
    const runtime = embedded === null ? null : await fileSystemOf(join(config.dataDir, "runtime"));
    return fileSystemFindings(config, await fileSystemOf(config.dataDir), runtime);
  },
};

const networkTypes =
  /^(?:nfs4?|cifs|smb3?|smbfs|fuse\.sshfs|sshfs|9p|ceph|glusterfs|fuse\.glusterfs|afs|davfs|fuse\.s3fs|fuse\.rclone)$/;
const temporaryTypes = /^(?:tmpfs|ramfs)$/;

/**
 * @param data the file system of the data folder @param runtime that of the unpacked native parts, null where none are
 *   unpacked (a run from source); both null where the system does not tell
 */
export const fileSystemFindings = (
  { dataDir }: Pick<DoctorContext["config"], "dataDir">,
  data: Mount | null,
  runtime: Mount | null,
): Omit<Finding, "check">[] => {
  if (data === null) return [fine("The system does not tell which file system holds the data folder.")];
  const found: Omit<Finding, "check">[] = [];
  const elsewhere = "set dataDir (CARREL_DATA_DIR) to a folder on another one";
  const at = `the file system of ${dataDir} (${data.type} at ${data.point})`;
  if (data.options.has("ro"))
    found.push(failed(`Nothing can be written: ${at} is mounted read-only.`, `Mount it for writing, or ${elsewhere}.`));
  if (runtime?.options.has("noexec"))
    found.push(
      failed(
        `The database cannot be loaded: ${at} is mounted noexec.`,
        `Mount it with exec (mount -o remount,exec ${runtime.point}), or ${elsewhere}.`,
      ),
    );
  if (networkTypes.test(data.type))
    found.push(
      warning(
        `The data folder is on a network: ${at}. Locks and syncs may not hold there, and a broken connection stops Carrel.`,
        "Keep dataDir on a disk of this machine, and put backups on the network.",
      ),
    );
  if (temporaryTypes.test(data.type))
    found.push(
      warning(`The data is gone when the machine restarts: ${at} is in memory.`, `Keep it on a disk: ${elsewhere}.`),
    );
  if (data.type === "overlay")
    found.push(
      warning(
        `The data is gone with the container: ${at} is a layer of its image.`,
        "Mount a volume at the data folder (docker run -v carrel:/data).",
      ),
    );
  return found.length > 0 ? found : [fine(`The data folder is on ${data.type}, mounted at ${data.point}.`)];
};
