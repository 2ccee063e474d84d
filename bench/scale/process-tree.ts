import { cpuTimesOf, descendantsOf, writtenBytesOf } from "../serving/process-figures.ts";

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
  const written = new Map<number, number>();
  const look = (): Used => {
    const tree = [root, ...descendantsOf(root)];
    for (const pid of tree) written.set(pid, Math.max(written.get(pid) ?? 0, writtenBytesOf(pid)));
    const living = tree.reduce((sum, pid) => sum + cpuTimesOf(pid).own, 0);
    return {
      cpuMs: 1_000 * (living + cpuTimesOf(root).ofEnded),
      writtenBytes: [...written.values()].reduce((sum, bytes) => sum + bytes, 0),
    };
  };
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
