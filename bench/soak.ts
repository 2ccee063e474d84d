/**
 * A day's mixed work in one hour, and whether memory, disk and open files stay what they were:
 *
 *     bun bench/soak.ts [BINARY|-] [MINUTES=60] [WARM-UP MINUTES=60] [PACE=1]
 *
 * BINARY is `dist/carrel`; without it the program runs from source. For a quicker look, PACE says how many minutes' work
 * is done in a minute, if the machine can do it; minutes are then those of the work. The warm-up is work of the same kinds, done
 * five times as fast: the analyzer's words, compiled code and the indexes' cache grow to their bounds in it, which takes more than
 * 60 minutes' work to the last megabyte. Some 11,000 pieces of work an hour, from one seed: texts, files and batches ingested, changed, sent again and deleted, questions, chats, keys, partitions, exports,
 * backups, metrics. There are always as many documents and chats. Every seven seconds the resident set of the server
 * is read (its processes for files and upkeep apart). After the work the server rests until its data no longer changes; then the same
 * content is exported, and imported into a new store, which is as compact as a store can be.
 *
 * Prints what each kind of work took, the slope of the resident set after the warm-up with its interval of 95 % and of
 * each part that it consists of, disk, open files and threads by name. Ends with 1 where a bound is broken: any error, a slope that is surely above 0 and more than 2 % of
 * the resident set an hour, more than 1.5 times the disk of the fresh store, more than 256 open files at rest (LanceDB keeps
 * those of the indexes in its cache open, also of replaced ones, until its 32 MB are full).
 * It takes 5 to 10 minutes longer than the work.
 */
import { join } from "node:path";
import { createRandom } from "../src/evaluation/estimates.ts";
import { createCorpus } from "./serving/corpus.ts";
import { ms, quantile, show } from "./serving/figures.ts";
import { commandOf, startProgram, temporaryFolder } from "./serving/program.ts";
import { describeParts, partNames, type ResidentParts } from "./serving/resident-parts.ts";
import { documentWork, fillPopulation, populationSize } from "./soak/documents.ts";
import { createContents, createPlaces } from "./soak/population.ts";
import { describeThreads, diskBytes, readProcess } from "./soak/process.ts";
import { createClient, createTally, type Tally } from "./soak/requests.ts";
import { countDocuments, runCommand, untilAtRest } from "./soak/rest.ts";
import { type Kept, keepSchedule, schedule } from "./soak/schedule.ts";
import { beginChats, serviceWork } from "./soak/service.ts";
import { fitSlope, type Point } from "./soak/slope.ts";

const [binary, minutesGiven = "60", warmUpGiven = "60", paceGiven = "1"] = process.argv.slice(2);
const command = commandOf(binary);
const minutes = Number(minutesGiven);
const pace = Number(paceGiven);
const warmUp = { minutes: Number(warmUpGiven), pace: 5 * pace };
const seed = 17;
const maxAtOnce = 8;
/** The server gives freed memory back every 5 seconds: with a multiple of that, all samples would see the same moment of it. */
const sampleEveryMs = 7_000;
const samplesPerLine = 9;
const hourMs = 3_600_000;
const megabyte = 1_048_576;
const max = { slopeShare: 0.02, diskRatio: 1.5, openFiles: 256 };

const mb = (value: number): string => `${value.toFixed(0)} MB`;
const folder = temporaryFolder();
process.env.CARREL_BACKUP_PATH = join(folder.path, "backups");
process.env.CARREL_BACKUP_KEEP = "3";
const broken: string[] = [];
const bound = (what: string, holds: boolean): void => {
  if (!holds) broken.push(what);
};

const random = createRandom(seed);
const corpus = createCorpus(seed);
const contents = createContents(corpus, random);
const tally = createTally();
const workedIn = join(folder.path, "worked");
const workedData = join(workedIn, "data");
const program = await startProgram(command, workedIn);
let other: typeof program | null = null;
try {
  const client = createClient(program);
  const population = await fillPopulation(client, contents, random);
  const chats = { places: createPlaces(await beginChats(client), random), questions: new Map<number, number>() };
  await untilAtRest(client, workedData);
  const before = readProcess(program.pid);
  show(`filled with ${populationSize} documents, at rest: resident`, mb(before.residentMb));
  show("open files, threads", `${before.openFiles}, ${before.threads}`);
  show("it consists of", describeParts(before.parts));

  const works = [...documentWork(client, contents, population), ...serviceWork(client, tally, corpus, chats, random)];
  const work = (forMinutes: number, atPace: number, time: Tally["time"]): Promise<Kept> =>
    keepSchedule(
      schedule(works, forMinutes, random).map(({ atMs, work: one }) => ({ atMs: atMs / atPace, work: one })),
      { maxAtOnce, endMs: (forMinutes * 60_000) / atPace },
      ({ kind, run }) => time(kind, run),
    );
  const warming = createTally();
  if (warmUp.minutes > 0) await work(warmUp.minutes, warmUp.pace, warming.time);
  const warm = readProcess(program.pid);
  show(`after ${warmUp.minutes} minutes' work, done faster: resident`, mb(warm.residentMb));
  show("it consists of", describeParts(warm.parts));

  const startedAt = performance.now();
  const samples: Point[] = [];
  const parts: { x: number; parts: ResidentParts }[] = [];
  const children: number[] = [];
  const sampler = setInterval(() => {
    const atMs = (performance.now() - startedAt) * pace;
    const figures = readProcess(program.pid);
    samples.push({ x: atMs / hourMs, y: figures.residentMb });
    parts.push({ x: atMs / hourMs, parts: figures.parts });
    children.push(figures.childrenMb);
    if (samples.length % samplesPerLine !== 0) return;
    const disk = mb(diskBytes(workedData) / megabyte);
    const { residentMb, childrenMb, openFiles, threads } = figures;
    console.log(
      `${(atMs / 60_000).toFixed(0).padStart(3)} min: resident ${mb(residentMb)}, children ${mb(childrenMb)}, disk ${disk}, ${openFiles} files, ${threads} threads, ${tally.errors.length} errors`,
    );
    console.log(`${" ".repeat(9)}${describeParts(figures.parts)}`);
  }, sampleEveryMs / pace);
  const kept = await work(minutes, pace, tally.time);
  clearInterval(sampler);
  const threadsAtWork = describeThreads(program.pid);
  const diskAtWork = diskBytes(workedData);

  console.log("");
  for (const [kind, took] of [...tally.took].toSorted(([a], [b]) => a.localeCompare(b)))
    show(`${kind} (${took.length}): p50, p99, longest`, [0.5, 0.99, 1].map((q) => ms(quantile(took, q))).join(", "));
  const all = [...tally.took.values()].flat();
  show(`all ${all.length}: p50, p99, longest`, [0.5, 0.99, 1].map((q) => ms(quantile(all, q))).join(", "));
  show("begun late at most; left undone", `${ms(kept.latestMs)}; ${kept.undone} of ${kept.begun + kept.undone}`);
  show("answered with a warning", String(tally.warnings()));
  const errors = warming.errors.length + tally.errors.length;
  show("errors (must be 0)", String(errors));
  bound("errors", errors === 0);

  const meanMb = samples.reduce((sum, { y }) => sum + y, 0) / samples.length;
  const { perX, low, high } = fitSlope(samples);
  const highestMb = Math.max(...samples.map(({ y }) => y));
  show("resident after the warm-up: mean; highest of all", `${mb(meanMb)}; ${mb(highestMb)}`);
  show("its processes for files and upkeep: highest", mb(Math.max(...children)));
  show("slope of the resident set, an hour", `${perX.toFixed(1)} MB (${low.toFixed(1)} to ${high.toFixed(1)})`);
  for (const [part, name] of Object.entries(partNames)) {
    const ofPart = parts.map(({ x, parts: all }) => ({ x, y: all[part as keyof ResidentParts] }));
    const slope = fitSlope(ofPart);
    show(`  ${name}`, `${slope.perX.toFixed(1)} MB (${slope.low.toFixed(1)} to ${slope.high.toFixed(1)})`);
  }
  show("threads at the end of the work", threadsAtWork);
  bound("slope of the resident set", low <= 0 || perX <= max.slopeShare * meanMb);

  await untilAtRest(client, workedData);
  const after = readProcess(program.pid);
  const worked = diskBytes(workedData);
  show("at rest: resident", mb(after.residentMb));
  show("at rest: it consists of", describeParts(after.parts));
  show("at rest: open files, threads", `${after.openFiles}, ${after.threads}`);
  bound("open files", after.openFiles <= max.openFiles);

  const exported = join(folder.path, "exported");
  const freshIn = join(folder.path, "fresh");
  const freshData = join(freshIn, "data");
  const documents = await countDocuments(program);
  await runCommand(command, workedData, "export", exported);
  await program.stop();
  other = await startProgram(command, freshIn);
  await runCommand(command, freshData, "import", exported);
  await untilAtRest(createClient(other), freshData);
  const fresh = diskBytes(freshData);
  const imported = await countDocuments(other);
  show("documents, and in the fresh store", `${documents}, ${imported}`);
  bound("documents of the fresh store", documents === imported && documents === populationSize);
  show("disk: fresh store", mb(fresh / megabyte));
  show("disk: at rest, ratio (at most 1.5)", `${mb(worked / megabyte)}, ${(worked / fresh).toFixed(2)}`);
  show("disk: under work, ratio", `${mb(diskAtWork / megabyte)}, ${(diskAtWork / fresh).toFixed(2)}`);
  bound("disk", worked <= max.diskRatio * fresh);
} finally {
  await program.stop();
  await other?.stop();
  folder.remove();
}
console.log(broken.length === 0 ? "all bounds hold" : `BROKEN: ${broken.join(", ")}`);
process.exitCode = broken.length === 0 ? 0 : 1;
