/**
 * What a small file of a folder costs the server, beside the same texts in one batch:
 *
 *     bun bench/ingest/folders.ts BINARY [files] [characters]
 *
 * Prints the server's CPU time a file (Linux): of a batch, the floor; of a followed folder at the first start (less what
 * a start without folders takes) and for as many files more, until all are found; of `carrel ingest FOLDER`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCorpus } from "../serving/corpus.ts";
import { show } from "../serving/figures.ts";
import { cpuSecondsOf } from "../serving/process-figures.ts";
import { commandOf, type Program, sendBatch, startProgram, temporaryFolder } from "../serving/program.ts";

const [binary = "-", ...numbers] = process.argv.slice(2);
const [count = 300, characters = 1_200] = numbers.map(Number);
const command = commandOf(binary);
/** Looking whether all are found costs the server time too. */
const pollMs = 1_000;
const quietCpuMs = 60;
const maxPolls = 60;

// The transformer of `auto` makes its vectors in the background, whatever way the texts came.
process.env.CARREL_MODELS_EMBEDDING_MODEL = "static";

const corpus = createCorpus(17);
const texts = (): string[] => Array.from({ length: count }, () => corpus.document(characters));
const writeFiles = (folder: string, begin: string): void => {
  mkdirSync(folder, { recursive: true });
  for (const [at, text] of texts().entries())
    writeFileSync(join(folder, `${begin}-${at}.md`), `# ${begin} ${at}\n\n${text}\n`);
};
const cpuMsNow = ({ pid }: Program): number => cpuSecondsOf(pid) * 1_000;
/** Waits for the end of what goes on in the background: it takes as much whatever way the texts came. */
const untilQuiet = async (program: Program): Promise<void> => {
  for (let polls = 0; polls < maxPolls; polls++) {
    const before = cpuMsNow(program);
    await Bun.sleep(2 * pollMs);
    if (cpuMsNow(program) - before < quietCpuMs) return;
  }
};
const untilFound = async (program: Program, documents: number): Promise<void> => {
  for (;;) {
    const url = `${program.url}/api/document?status=processed&limit=1`;
    const response = await fetch(url, { headers: program.headers });
    if (Number(response.headers.get("x-total-count")) >= documents) return;
    await Bun.sleep(pollMs);
  }
};
const cpuMsOf = async (program: Program, work: () => Promise<unknown>): Promise<number> => {
  await untilQuiet(program);
  const before = cpuMsNow(program);
  await work();
  return cpuMsNow(program) - before;
};
const showEach = (what: string, cpuMs: number, ms?: number): void => {
  const lasted = ms === undefined ? "" : `, ${(ms / 1_000).toFixed(1)} s in all`;
  show(what, `${(cpuMs / count).toFixed(2)} ms of CPU a file${lasted}`);
};

const place = temporaryFolder();
const followed = join(place.path, "followed");
const given = join(place.path, "given");
try {
  const plain = await startProgram(command, join(place.path, "plain"));
  await untilQuiet(plain);
  const startCpuMs = cpuMsNow(plain);
  await sendBatch(plain, [{ name: "warm", text: "Warms up what is loaded on first use." }]);
  const documents = texts().map((text, at) => ({ name: `document ${at}`, text }));
  showEach(
    `${count} texts of ${characters} characters in a batch`,
    await cpuMsOf(plain, () => sendBatch(plain, documents)),
  );

  writeFiles(given, "given");
  let ingestMs = 0;
  const ingestCpuMs = await cpuMsOf(plain, async () => {
    const began = performance.now();
    const child = Bun.spawn([...command, "ingest", given], {
      env: { ...process.env, CARREL_DATA_DIR: join(place.path, "plain", "data") },
      stdout: "ignore",
      stderr: "inherit",
    });
    if ((await child.exited) !== 0) throw new Error("carrel ingest failed");
    ingestMs = performance.now() - began;
  });
  showEach("carrel ingest FOLDER, the server", ingestCpuMs, ingestMs);
  await plain.stop();

  writeFiles(followed, "first");
  const dataDir = join(place.path, "following");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "carrel.yaml"), `folders: [{ path: ${JSON.stringify(followed)} }]\n`);
  const began = performance.now();
  const following = await startProgram(command, dataDir);
  await untilFound(following, count);
  showEach("a followed folder, first start", cpuMsNow(following) - startCpuMs, performance.now() - began);
  let moreMs = 0;
  const moreCpuMs = await cpuMsOf(following, async () => {
    const since = performance.now();
    writeFiles(followed, "more");
    await untilFound(following, 2 * count);
    moreMs = performance.now() - since;
  });
  showEach(`${count} files more`, moreCpuMs, moreMs);
  await following.stop();
} finally {
  place.remove();
}
