/**
 * How well people's everyday asks are answered: the program is started over an empty store for each half of the set, the
 * documents are uploaded, and everything is asked over HTTP. See bench/quality/README.md.
 *
 *     bun bench/quality/everyday.ts [--binary dist/carrel] [--half develop,heldout|all] [--model static|auto|NAME]
 *       [--ollama URL --answer-model NAME] [--only KIND] [--rows N] [--json FILE] [--verbose]
 *     bun bench/quality/everyday.ts --cases FOLDER [--binary dist/carrel] …
 *
 * `--rows`: rows of the table that is made by code in each half of the first set. `--cases`: cases of a folder, each with documents of its own.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cpuSecondsOf } from "../serving/process-figures.ts";
import { commandOf, type Program, startProgram, temporaryFolder } from "../serving/program.ts";
import { untilVectors } from "../serving/until-vectors.ts";
import { type Ask, halves } from "./everyday/ask.ts";
import { type AskedAnswer, askServer, type Server, uploadAll } from "./everyday/asking.ts";
import { readCases } from "./everyday/cases.ts";
import { hardToRead, isGood, judge, type Outcome } from "./everyday/judge.ts";
import { readEverydaySet } from "./everyday/set.ts";

const { values } = parseArgs({
  options: {
    binary: { type: "string" },
    half: { type: "string", default: "develop" },
    model: { type: "string", default: "static" },
    ollama: { type: "string" },
    "answer-model": { type: "string" },
    only: { type: "string" },
    rows: { type: "string", default: "600" },
    cases: { type: "string" },
    json: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

const pollMs = 500;

interface Result {
  half: string;
  ask: Ask;
  outcome: Outcome;
  isGood: boolean;
  hard: string[];
  answer: AskedAnswer;
}

const settings: Record<string, string> = { CARREL_MODELS_EMBEDDING_MODEL: values.model, CARREL_LOG_LEVEL: "error" };
if (values.ollama !== undefined) {
  if (values["answer-model"] === undefined) throw new Error("--ollama needs --answer-model NAME");
  settings.CARREL_MODELS_ANSWER_PROVIDER = "ollama";
  settings.CARREL_MODELS_ANSWER_BASE_URL = values.ollama;
  settings.CARREL_MODELS_ANSWER_MODEL = values["answer-model"];
  settings.CARREL_MODELS_ANSWER_TIMEOUT_MS = "300000";
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const indented = (text: string): string => text.replace(/^/gm, "      ");
const judged = (half: string, ask: Ask, answer: AskedAnswer): Result => {
  const outcome = judge(ask, answer);
  return { half, ask, outcome, isGood: isGood(ask, outcome), hard: hardToRead(answer.text), answer };
};
const printResult = ({ ask, outcome, hard, answer }: Result): void => {
  const notes = [outcome, `confidence ${answer.confidence?.toFixed(3) ?? "?"}`, ...hard].join(", ");
  print(`\n  ${ask.id} (${notes}): ${ask.turns.join(" / ")}${ask.scope === null ? "" : ` [${ask.scope}]`}`);
  print(indented(answer.text));
};

/** Started over an empty store, for as long as it is needed. */
const withProgram = async <T>(use: (program: Program, dataDir: string) => Promise<T>): Promise<T> => {
  const folder = temporaryFolder();
  try {
    const program = await startProgram(commandOf(values.binary), folder.path, settings);
    try {
      return await use(program, join(folder.path, "data"));
    } finally {
      await program.stop();
    }
  } finally {
    folder.remove();
  }
};

const embedderOf = async ({ url, headers }: Program): Promise<string> => {
  const response = await fetch(`${url}/api/embedder`, { headers });
  const { active } = (await response.json()) as { active: { provider: string; model: string } };
  return `${active.provider} ${active.model}`;
};

interface HalfRun {
  results: Result[];
  cpuMs: number;
  embedder: string;
}

const runHalf = (half: (typeof halves)[number]): Promise<HalfRun> =>
  withProgram(async (program) => {
    const { documents, asks } = await readEverydaySet(half, Number(values.rows));
    const ids = await uploadAll(program, documents);
    await untilVectors(program, pollMs);
    const chosen = asks.filter(({ kind }) => values.only === undefined || kind === values.only);
    const before = cpuSecondsOf(program.pid);
    const results: Result[] = [];
    for (const ask of chosen) results.push(judged(half, ask, await askServer(program, ask, ids)));
    const questions = chosen.reduce((sum, { turns }) => sum + turns.length, 0);
    const embedder = await embedderOf(program);
    return { results, embedder, cpuMs: ((cpuSecondsOf(program.pid) - before) * 1_000) / Math.max(1, questions) };
  });

const row = (cells: readonly (string | number)[]): void => print(`| ${cells.join(" | ")} |`);
const head = (cells: readonly string[]): void => {
  print("");
  row(cells);
  row(cells.map(() => "---"));
};
const count = (results: readonly Result[], outcome: Outcome): number =>
  results.filter((result) => result.outcome === outcome).length;

const printTables = (results: readonly Result[]): void => {
  const isAbsent = ({ ask }: Result): boolean => ask.expects === "none-or-hedge";
  const hard = (some: readonly Result[]): number => some.filter((result) => result.hard.length > 0).length;
  const present = results.filter((result) => !isAbsent(result));
  const absent = results.filter(isAbsent);
  const kindsOf = (some: readonly Result[]): [string, Result[]][] => [
    ...[...new Set(some.map(({ ask }) => ask.kind))].map((kind): [string, Result[]] => [
      kind,
      some.filter(({ ask }) => ask.kind === kind),
    ]),
    ["**all**", [...some]],
  ];
  if (present.length > 0) {
    head(["kind", "asks", "right", "hedged", "wrong", "refused", "right or hedged", "hard to read"]);
    for (const [kind, some] of kindsOf(present)) {
      const outcomes = (["right", "hedged", "wrong", "refused"] as const).map((outcome) => count(some, outcome));
      const [right = 0, hedged = 0] = outcomes;
      row([kind, some.length, ...outcomes, `${Math.round(((right + hedged) / some.length) * 100)} %`, hard(some)]);
    }
  }
  if (absent.length > 0) {
    head(["absent", "asks", "refused", "hedged", "told as sure", "refused or hedged"]);
    for (const [kind, some] of kindsOf(absent)) {
      const outcomes = (["refused", "hedged", "wrong"] as const).map((outcome) => count(some, outcome));
      const told = outcomes[2] ?? 0;
      row([kind, some.length, ...outcomes, `${Math.round((1 - told / some.length) * 100)} %`]);
    }
  }
  const byId = new Map(results.map((result) => [result.ask.id, result]));
  const pairs = results.flatMap((wrapped) => {
    const bare = wrapped.ask.bare === undefined ? undefined : byId.get(wrapped.ask.bare);
    return bare === undefined ? [] : [{ bare: bare.isGood, wrapped: wrapped.isGood }];
  });
  if (pairs.length > 0)
    print(
      `\nCourteous words around ${pairs.length} questions: ${pairs.filter(({ bare }) => bare).length} answered bare, ` +
        `${pairs.filter(({ wrapped }) => wrapped).length} wrapped.`,
    );
};

const runSet = async (): Promise<Result[]> => {
  const wanted = halves.filter((half) => values.half === "all" || values.half.split(",").includes(half));
  if (wanted.length === 0) throw new Error(`--half is all or some of ${halves.join(",")}`);
  const results: Result[] = [];
  const costs: string[] = [];
  for (const half of wanted) {
    const run = await runHalf(half);
    results.push(...run.results);
    costs.push(`${run.cpuMs.toFixed(0)} (${half}, ${run.embedder})`);
  }
  if (values.verbose) for (const result of results) if (!result.isGood || result.hard.length > 0) printResult(result);
  printTables(results);
  print(`\nCPU milliseconds a question: ${costs.join(", ")}.`);
  return results;
};

/** An organization of its own for a group of cases: what others hold changes nothing. */
const organizationServer = async (program: Program, dataDir: string, name: string): Promise<Server> => {
  const response = await fetch("http://localhost/api/key", {
    unix: join(dataDir, "carrel.sock"),
    method: "POST",
    headers: { "x-carrel-organization": name, "x-carrel-make-organization": "true" },
    body: JSON.stringify({ name: "cases", role: "admin" }),
  });
  if (!response.ok) throw new Error(await response.text());
  const { key } = (await response.json()) as { key: string };
  return { url: program.url, headers: { authorization: `Bearer ${key}` } };
};

/** Prints each case with its answer. Cases for a model are left out unless there is one. */
const runCases = (folder: string): Promise<Result[]> =>
  withProgram(async (program, dataDir) => {
    const results: Result[] = [];
    let leftOut = 0;
    for (const [at, { documents, cases }] of (await readCases(folder)).entries()) {
      const chosen = cases.filter(({ kind, answerer }) => {
        const isFor = values.ollama === undefined ? /^builtin/.test(answerer) : true;
        if (!isFor) leftOut++;
        return isFor && (values.only === undefined || kind === values.only);
      });
      if (chosen.length === 0) continue;
      const server = await organizationServer(program, dataDir, `cases-${at}`);
      const ids = await uploadAll(server, documents);
      await untilVectors(program, pollMs);
      for (const one of chosen) {
        const result = judged("cases", one, await askServer(server, one, ids));
        results.push(result);
        print(result.isGood ? `\npass ${one.id}` : `\nFAIL ${one.id}`);
        printResult(result);
      }
    }
    printTables(results);
    const passed = results.filter((result) => result.isGood);
    print(`\n${passed.length} of ${results.length} cases pass; ${leftOut} need a model (--ollama).`);
    print(`Failing: ${results.flatMap((result) => (result.isGood ? [] : [result.ask.id])).join(", ")}`);
    return results;
  });

const results = await (values.cases === undefined ? runSet() : runCases(values.cases));
if (values.json !== undefined)
  await writeFile(
    values.json,
    JSON.stringify(
      results.map(({ half, ask, outcome, isGood: good, hard, answer }) => ({
        half,
        id: ask.id,
        kind: ask.kind,
        language: ask.language,
        outcome,
        isGood: good,
        hardToRead: hard,
        certainty: answer.certainty,
        confidence: answer.confidence,
        snippets: answer.snippets,
        turns: ask.turns,
        scope: ask.scope,
        answer: answer.text,
      })),
      null,
      1,
    ),
  );
