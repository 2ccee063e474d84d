/**
 * Reads one file with one reader, in a process of its own:
 * `bun read-one.ts READER FORMAT FILE FOLDER TIMES`. Prints a `Reading` as JSON.
 */
import { type Format, readers } from "./readers.ts";

export interface Reading {
  renderings: string[];
  /** CPU time of the first reading, with the loading of the reader; and of one more, the median. */
  firstMs: number;
  againMs: number;
  failure: string | null;
}

const cpuMs = async <T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> => {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1_000 };
};

const readOne = async (name: string, format: Format, path: string, folder: string, times: number): Promise<Reading> => {
  const reader = readers[name];
  if (reader === undefined) throw new Error(`There is no reader ${name}.`);
  const bytes = await Bun.file(path).bytes();
  try {
    let read = async (_: Uint8Array, __: Format): Promise<string[]> => [];
    const first = await cpuMs(async () => {
      read = await reader.load(folder);
      return await read(bytes, format);
    });
    const again: number[] = [];
    for (let index = 0; index < times; index++) again.push((await cpuMs(() => read(bytes, format))).ms);
    again.sort((a, b) => a - b);
    const againMs = again[Math.floor(again.length / 2)] ?? first.ms;
    return { renderings: first.result, firstMs: first.ms, againMs, failure: null };
  } catch (error) {
    return { renderings: [], firstMs: 0, againMs: 0, failure: `${error}`.split("\n")[0]?.slice(0, 160) ?? "" };
  }
};

if (import.meta.main) {
  const [name = "", format = "", path = "", folder = "", times = "0"] = process.argv.slice(2);
  const reading = await readOne(name, format as Format, path, folder, Number(times));
  await Bun.write(Bun.stdout, JSON.stringify(reading));
  process.exit(0);
}
