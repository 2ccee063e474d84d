// Tells whether the npm that runs this script is still there. A signal that ends npm reaches its shell at most, never the
// script: without a look at them, the server would go on alone.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const isWindows = process.platform === "win32";
const shells = /^-?(?:.*\/)?(?:ash|bash|busybox|dash|ksh|sh|zsh)$/;

/** Parent and program name of a process. @returns null where it is gone */
const processOf = (pid) => {
  try {
    if (process.platform === "linux") {
      // The name stands in parentheses and may hold some itself; the parent is the second field after it.
      const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
      return { name, parent: Number(parent) };
    }
    const [, parent, name] = /^\s*(\d+)\s+(.*?)\s*$/.exec(
      spawnSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" }).stdout,
    );
    return { name, parent: Number(parent) };
  } catch {
    return null;
  }
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
};

/**
 * @returns a function that is true once the npm that runs this script, or the shell between them, has ended; always
 * false where no npm does
 */
export const watchNpm = () => {
  if (process.env.npm_lifecycle_event === undefined) return () => false;
  const parent = process.ppid;
  const shell = isWindows ? null : processOf(parent);
  // Some shells put the script in their own place; then npm itself is the parent.
  const npm = shell !== null && shells.test(shell.name) ? shell.parent : null;
  return () => {
    if (process.ppid !== parent || !isAlive(parent)) return true;
    if (npm === null) return false;
    // On Linux by the shell's new parent, for npm may be there as a zombie.
    return process.platform === "linux" ? processOf(parent)?.parent !== npm : !isAlive(npm);
  };
};
