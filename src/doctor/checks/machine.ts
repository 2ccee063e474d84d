import { access, constants, readFile, stat, statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import { bytesToUnpack, lacksAvx2 } from "../../runtime/native-addon.ts";
import { usualMinFreeBytes } from "../../store/disk/free-space.ts";
import { whyNotWritable } from "../../system/faults.ts";
import { memoryLimit } from "../../system/memory-limit.ts";
import { fileSystemOf, type Mount, nearestExisting } from "../../system/paths.ts";
import { type Check, type DoctorContext, failed, fine, type Told, warning } from "./finding.ts";

export const processorCheck: Check = {
  name: "processor",
  isQuick: true,
  run: async () => [
    processorFinding(process.platform, process.arch, await readFile("/proc/cpuinfo", "utf8").catch(() => "")),
  ],
};

/** @param information text of /proc/cpuinfo */
export const processorFinding = (platform: string, arch: string, information: string) => {
  if (platform !== "linux" || arch !== "x64") return fine(`${arch} needs nothing special.`);
  return lacksAvx2(information)
    ? failed(
        "This processor has no AVX2, which the database inside Carrel needs.",
        "On a virtual machine, set its CPU type to `host` (Proxmox: Hardware, Processors, Type; libvirt: <cpu mode='host-passthrough'/>); else use a machine of 2013 or later.",
      )
    : fine("The processor has AVX2.");
};

/** A fresh server has 200 MB resident, and LanceDB's caches take up to 320 MB more. */
const leastBytes = 400e6;
const enoughBytes = 1_000e6;
/** Free for the moment: a large file takes its parser this much. */
const freeBytes = 300e6;

export const memoryCheck: Check = {
  name: "memory",
  isQuick: true,
  run: async () => [memoryFinding(memoryLimit(), availableIn(await readFile("/proc/meminfo", "utf8").catch(() => "")))],
};

/** Bytes that programs can still take; null where the text does not tell. @param text of /proc/meminfo */
export const availableIn = (text: string): number | null => {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
};

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;

export const memoryFinding = (limit: number, available: number | null) => {
  const more = "Give the machine, container or service more memory.";
  if (limit < leastBytes)
    return failed(`Carrel may use ${megabytes(limit)} of memory, and needs ${megabytes(leastBytes)}.`, more);
  if (limit < enoughBytes)
    return warning(
      `Carrel may use ${megabytes(limit)} of memory: large files and stores may take more.`,
      `${more} ${megabytes(enoughBytes)} are enough for most; the built-in MiniLM wants 2000 MB.`,
    );
  if (available !== null && available < freeBytes)
    return warning(
      `Only ${megabytes(available)} of memory are free now.`,
      "End other programs, or give the machine more memory.",
    );
  return fine(
    `Carrel may use ${megabytes(limit)}${available === null ? "" : `, ${megabytes(available)} are free now`}.`,
  );
};

/** Carrel did not exist before: a machine whose clock has lost its battery says 1970 or 2000. */
const firstYear = 2025;
const lastYear = 2100;
/** A difference that breaks signatures of S3 and webhooks is five minutes; one minute shows that nothing sets the clock. */
const maxDifferenceMs = 60_000;
const timeoutMs = 5_000;

const fix = "Set the clock, and keep it synchronized: timedatectl set-ntp true.";

/** Servers that the configuration names: one of them may be on another machine, whose clock can be compared. */
const serversOf = ({ models, parser }: DoctorContext["config"]): string[] => {
  const addresses = [models.answer, models.embedding, models.reranker, parser].map(({ baseUrl }) => baseUrl);
  return [...new Set(addresses.filter((address) => address !== null))].filter(
    (address) => !/^https?:\/\/(?:localhost|127\.|\[::1\])/.test(address),
  );
};

/** What a server's `Date` header says; null if it cannot be reached or does not say. */
const timeAt = async (address: string, signal: AbortSignal): Promise<number | null> => {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(address, { method: "HEAD", redirect: "manual", signal: limit });
    const time = Date.parse(response.headers.get("date") ?? "");
    return Number.isNaN(time) ? null : time;
  } catch {
    return null;
  }
};

export const clockCheck: Check = {
  name: "clock",
  isQuick: false,
  async run({ config, signal }) {
    const times = await Promise.all(serversOf(config).map((address) => timeAt(address, signal)));
    return [clockFinding(Date.now(), times.find((time) => time !== null) ?? null)];
  },
};

/** @param there the time that another machine tells, null where none does */
export const clockFinding = (now: number, there: number | null): Told => {
  const shown = new Date(now).toISOString();
  const year = new Date(now).getUTCFullYear();
  if (year < firstYear || year > lastYear)
    return failed(`The clock says ${shown}: keys that expire and certificates are checked against it.`, fix);
  if (there === null) return fine(`The clock says ${shown}.`);
  const differenceMs = Math.abs(now - there);
  return differenceMs > maxDifferenceMs
    ? warning(`The clock differs by ${Math.round(differenceMs / 1000)} s from that of a configured server.`, fix)
    : fine(`The clock says ${shown}, as that of a configured server does.`);
};

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
): Told[] => {
  if (data === null) return [fine("The system does not tell which file system holds the data folder.")];
  const found: Told[] = [];
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
