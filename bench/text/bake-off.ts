/**
 * Our own code for texts against the libraries that do the same:
 *
 *     bun bench/text/bake-off.ts [tokens|stems|analysis|words|wordpiece]…
 *
 * Token counts against gpt-tokenizer; English stems against snowball-stemmers, alone and within the analysis of whole
 * documents; the scanner of words against one regular expression; WordPiece against @huggingface/tokenizers.
 * Prints whether the results are equal, what a new process does in its first 200 ms and for its first megabyte, CPU time
 * for a megabyte once compiled, memory, and size in a bundle. Each figure is the median of several processes. Verdicts:
 * docs/decisions/text.md.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ContenderName, contenders, type Subject } from "./contenders.ts";
import { compareResults, compareWithOriginal, type Equality } from "./equality.ts";
import type { Round } from "./round.ts";
import type { TextKind } from "./texts.ts";

const processes = 5;
const libraries: Record<Subject, string> = {
  tokens: "gpt-tokenizer",
  stems: "snowball-stemmers",
  analysis: "with snowball-stemmers",
  words: "one regular expression",
  wordpiece: "@huggingface/tokenizers",
};
const kindsOf: Record<Subject, readonly TextKind[]> = {
  tokens: ["english", "german", "chinese", "code"],
  stems: ["english"],
  analysis: ["english"],
  words: ["english", "german", "chinese", "code"],
  wordpiece: ["english", "german", "chinese", "code"],
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const measure = async (subject: Subject, name: ContenderName): Promise<Round[]> => {
  const rounds: Round[] = [];
  for (let count = 0; count < processes; count++) {
    const command = [process.execPath, join(import.meta.dir, "round.ts"), subject, name, kindsOf[subject].join(",")];
    const child = Bun.spawn(command, {
      stdout: "inherit",
      stderr: "inherit",
      ipc: (round: Round) => void rounds.push(round),
    });
    if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
  }
  return rounds;
};

/** Bytes of the minified bundle, and of the files that it carries. */
const bundleSize = async (entry: string): Promise<{ code: number; files: number }> => {
  const folder = await mkdtemp(join(import.meta.dir, ".bundle-"));
  try {
    const path = join(folder, "entry.ts");
    await writeFile(path, entry);
    const { outputs } = await Bun.build({ entrypoints: [path], target: "bun", minify: true });
    const sum = (kind: boolean) =>
      outputs.filter((output) => (output.kind === "asset") === kind).reduce((total, { size }) => total + size, 0);
    return { code: sum(false), files: sum(true) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(0);

const row = async (subject: Subject, name: ContenderName): Promise<string> => {
  const rounds = await measure(subject, name);
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const { code, files } = await bundleSize(contenders[subject][name].entry);
  const cells = [
    name === "ours" ? "ours" : libraries[subject],
    of(({ loadMs }) => loadMs).toFixed(0),
    of(({ coldKb }) => coldKb).toFixed(0),
    of(({ firstMegabyteCpuMs }) => firstMegabyteCpuMs).toFixed(0),
    ...kindsOf[subject].map((kind) => of(({ warmCpuMs }) => warmCpuMs[kind] ?? Number.NaN).toFixed(1)),
    of(({ gainedMb }) => gainedMb).toFixed(0),
    `${kilobytes(code)} + ${kilobytes(files)}`,
  ];
  return `| ${cells.join(" | ")} |`;
};

const inWords = ({ compared, differing, example }: Equality): string =>
  `${differing} of ${compared} differ${example === null ? "" : `, the first: ${JSON.stringify(example)}`}`;

const asked = process.argv.slice(2) as Subject[];
console.log(`Bun ${Bun.version}, ${process.platform} ${process.arch}; the median of ${processes} processes\n`);
for (const subject of asked.length > 0 ? asked : (Object.keys(contenders) as Subject[])) {
  console.log(`## ${subject}\n`);
  if (subject !== "analysis") console.log(`Results: ${inWords(await compareResults(subject))}`);
  if (subject === "wordpiece")
    for (const name of ["ours", "library"] as const)
      console.log(`Against the original, ${name}: ${inWords(await compareWithOriginal(contenders.wordpiece[name]))}`);
  const head = [
    "",
    "load ms",
    "kB in 200 ms",
    "first MB, CPU ms",
    ...kindsOf[subject].map((kind) => `warm ${kind}, CPU ms/MB`),
    "memory MB",
    "bundle kB + files",
  ];
  console.log(`\n| ${head.join(" | ")} |\n|${"---|".repeat(head.length)}`);
  for (const name of ["ours", "library"] as const) console.log(await row(subject, name));
  console.log();
}
