/** One process of bake-off.ts, with one contender: sends the process that started it what it measured. */
import { type ContenderName, contenders, type Subject } from "./contenders.ts";
import { readTexts, type TextKind } from "./texts.ts";

export interface Round {
  /** Import, tables and the first call. */
  loadMs: number;
  /** Text done within 200 ms of the beginning of the import. */
  coldKb: number;
  /** CPU time of all threads from the beginning of the import until a megabyte was done. */
  firstMegabyteCpuMs: number;
  /** Resident memory gained by then, after garbage collection. */
  gainedMb: number;
  /** CPU time of all threads for a megabyte, once everything is compiled. */
  warmCpuMs: Partial<Record<TextKind, number>>;
}

const coldMs = 200;
const megabyte = 1_000_000;
const warmUpBytes = 3 * megabyte;
const warmRounds = 5;

const [subject, name, kinds = "english"] = process.argv.slice(2) as [Subject, ContenderName, string?];
const texts = readTexts("english");
const bytesOf = new Map(texts.map((text) => [text, Buffer.byteLength(text)]));
const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};
const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

Bun.gc(true);
const residentBefore = process.memoryUsage.rss();
const startedAt = performance.now();
const startedCpu = process.cpuUsage();
const work = await contenders[subject][name].load();
const loadMs = performance.now() - startedAt;

let coldBytes = 0;
let done = 0;
for (let at = 0; done < megabyte; at++) {
  const text = texts[at % texts.length] as string;
  await work(text);
  done += bytesOf.get(text) ?? 0;
  if (performance.now() - startedAt <= coldMs) coldBytes = done;
}
const firstMegabyteCpuMs = cpuMs(startedCpu);
Bun.gc(true);
const gainedMb = (process.memoryUsage.rss() - residentBefore) / 2 ** 20;

const warmCpuMs: Round["warmCpuMs"] = {};
for (const kind of kinds.split(",") as TextKind[]) {
  const list = readTexts(kind);
  const size = list.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const readAll = async (): Promise<void> => {
    for (const text of list) await work(text);
  };
  for (let read = 0; read < warmUpBytes; read += size) await readAll();
  const rounds: number[] = [];
  for (let round = 0; round < warmRounds; round++) {
    const before = process.cpuUsage();
    await readAll();
    rounds.push(cpuMs(before) / (size / megabyte));
  }
  warmCpuMs[kind] = median(rounds);
}
process.send?.({ loadMs, coldKb: coldBytes / 1_000, firstMegabyteCpuMs, gainedMb, warmCpuMs } satisfies Round);
