import { constants } from "node:fs";
import { access, type FileHandle, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

/** Opening a pipe does not wait for its other end. Zero where the system lacks the flag. */
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const folderFlags = readFlags | (constants.O_DIRECTORY ?? 0);
const noLinkFlag = constants.O_NOFOLLOW ?? 0;
/** macOS: no link anywhere in the path. */
const noLinkAnywhereFlag = 0x2000_0000;

const failure = (code: string, message: string): Error => Object.assign(new Error(`${code}: ${message}`), { code });

/**
 * Opens a file of a folder for reading. No symbolic link below the folder is followed, neither the file nor a folder on
 * the way to it: a user who may write there cannot have files elsewhere read, whatever the timing.
 * @param folder absolute; may itself be a link
 * @param path relative to it, with `/`
 * @throws Error with a code: ELOOP or ENOTDIR for a link, ENOENT, EACCES …
 */
export const openWithin = async (folder: string, path: string): Promise<FileHandle> => {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".."))
    throw failure("ENOENT", "not below the folder");
  if (process.platform === "linux") return await openStepByStep(folder, names);
  if (process.platform === "darwin")
    return await open(join(await realpath(folder), ...names), readFlags | noLinkAnywhereFlag);
  return await openAndLook(folder, names);
};

/** Each folder is opened in the one before it, by descriptor: nothing that is renamed meanwhile matters. */
const openStepByStep = async (folder: string, names: readonly string[]): Promise<FileHandle> => {
  let parent = await open(folder, folderFlags);
  try {
    for (const name of names.slice(0, -1)) {
      const next = await openIn(parent, name, folderFlags);
      await parent.close();
      parent = next;
    }
    return await openIn(parent, names.at(-1) ?? "", readFlags);
  } finally {
    await parent.close();
  }
};

const openIn = async (parent: FileHandle, name: string, flags: number): Promise<FileHandle> => {
  try {
    return await open(`/proc/self/fd/${parent.fd}/${name}`, flags | noLinkFlag);
  } catch (error) {
    await access("/proc/self/fd").catch(() => {
      throw failure("ENOSYS", "/proc is not mounted, without which files of a folder cannot be opened safely");
    });
    throw error;
  }
};

/** For systems that offer nothing better: refuses a file that turns out to be elsewhere. */
const openAndLook = async (folder: string, names: readonly string[]): Promise<FileHandle> => {
  const path = join(folder, ...names);
  const file = await open(path, readFlags | noLinkFlag);
  const expected = join(await realpath(folder), ...names);
  const actual = await realpath(path).catch(() => "");
  if (actual === expected || actual.toLowerCase() === expected.toLowerCase().replaceAll("/", sep)) return file;
  await file.close();
  throw failure("ELOOP", "a link leads out of the folder");
};
