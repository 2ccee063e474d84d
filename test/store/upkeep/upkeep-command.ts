import { readdirSync, readFileSync } from "node:fs";
import { ownCommand } from "../../../src/system/child-process.ts";

export const upkeepCommand = ownCommand("upkeep-worker", new URL("../../../src/main.ts", import.meta.url).pathname);

/** Ids of the running upkeep processes of a folder (Linux). */
export const upkeepProcesses = (folder: string): number[] =>
  readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      return words.includes("upkeep-worker") && words.includes(folder) ? [Number(name)] : [];
    } catch {
      return []; // it has ended
    }
  });
