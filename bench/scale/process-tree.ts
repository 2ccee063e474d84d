import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** Fields of `/proc/PID/stat` after the name: state, parent, … */
const statOf = (pid: number): string[] => {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
};

const treeOf = (root: number): number[] => {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statOf(Number(name))[1]) }));
  const tree = [root];
  for (const of of tree) tree.push(...parents.filter(({ parent }) => parent === of).map(({ pid }) => pid));
  return tree;
};

export interface Used {
  cpuMs: number;
  writtenBytes: number;
}

/**
 * Watches a process and its children (Linux).
 * @returns what they used since then: children that lived between two looks are counted by the CPU time that their parent
 *   has of them, not by what they wrote
 */
export const watchTree = (root: number, everyMs = 100): { used(): Used; stop(): Used } => {
  const seen = new Map<number, Used>();
  const look = (): Used => {
    for (const pid of treeOf(root)) {
      const fields = statOf(pid);
      const [user, system, ofEnded, ofEndedSystem] = fields.slice(11, 15).map(Number);
      const ended = pid === root ? (ofEnded ?? 0) + (ofEndedSystem ?? 0) : 0;
      const ticks = (user ?? 0) + (system ?? 0);
      const written = Number(/^write_bytes: (\d+)/m.exec(read(`/proc/${pid}/io`))?.[1] ?? 0);
      if (Number.isNaN(ticks)) continue;
      seen.set(pid, { cpuMs: (ticks * 1_000) / ticksPerSecond, writtenBytes: written });
      endedMs = pid === root ? (ended * 1_000) / ticksPerSecond : endedMs;
    }
    const living = new Set(treeOf(root));
    const all = [...seen];
    return {
      // What has ended is in its parent's count.
      cpuMs: endedMs + all.reduce((sum, [pid, { cpuMs }]) => sum + (living.has(pid) ? cpuMs : 0), 0),
      writtenBytes: all.reduce((sum, [, { writtenBytes }]) => sum + writtenBytes, 0),
    };
  };
  let endedMs = 0;
  const first = look();
  const timer = setInterval(look, everyMs);
  const used = (): Used => {
    const now = look();
    return { cpuMs: now.cpuMs - first.cpuMs, writtenBytes: now.writtenBytes - first.writtenBytes };
  };
  return {
    used,
    stop() {
      clearInterval(timer);
      return used();
    },
  };
};
