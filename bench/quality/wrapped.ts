/**
 * Whether words around a question change its answer: greetings, thanks, reasons, pleas and remarks, with signs and without. Each
 * everyday ask that is answered rightly is asked again in each of them (everyday/wraps.json), and of what is absent, how often
 * they make an answer sure that was none.
 *
 *     bun bench/quality/wrapped.ts [--binary dist/carrel] [--half all] [--language en,de] [--kinds plain,absent-near] [--show]
 *
 * In a template, `{asked}` is the ask with a question mark, `{bare}` without one and in small letters at its beginning, `{small}`
 * with one, `{Bare}` without one.
 */
import { parseArgs } from "node:util";
import { commandOf, startProgram, temporaryFolder } from "../serving/program.ts";
import { type Ask, halves } from "./everyday/ask.ts";
import { type AskedAnswer, askServer, uploadAll } from "./everyday/asking.ts";
import { judge } from "./everyday/judge.ts";
import { readEverydaySet } from "./everyday/set.ts";
import wraps from "./everyday/wraps.json";

const { values } = parseArgs({
  options: {
    binary: { type: "string" },
    half: { type: "string", default: "all" },
    language: { type: "string" },
    kinds: { type: "string", default: "plain,absent-near" },
    show: { type: "boolean", default: false },
  },
});
/** Rows of the table that is made by code. */
const rows = 100;

interface Tally {
  asked: number;
  good: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** The ask in other words around it. */
const wrapped = (template: string, ask: string): string => {
  const bare = ask.replace(/[?？]+$/u, "");
  const small = bare.slice(0, 1).toLowerCase() + bare.slice(1);
  const mark = /\p{Script=Han}/u.test(ask) ? "？" : "?";
  const forms: Record<string, string> = { asked: bare + mark, Bare: bare, bare: small, small: small + mark };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => forms[name] ?? whole);
};

/** Right as it was; of what is absent, not told as sure. */
const isGood = (ask: Ask, answer: AskedAnswer): boolean =>
  ask.expects === "none-or-hedge" ? answer.certainty !== "sure" : judge(ask, answer) === "right";

const tallies = new Map<string, Tally>();
const all: Record<"present" | "absent", Tally> = { present: { asked: 0, good: 0 }, absent: { asked: 0, good: 0 } };
const kinds = new Set(values.kinds.split(","));
const templatesOf = new Map<string, string[]>(Object.entries(wraps));
const isWanted = ({ kind, language, turns }: Ask): boolean =>
  kinds.has(kind) &&
  turns.length === 1 &&
  (values.language === undefined || values.language.split(",").includes(language));

for (const half of halves.filter((each) => values.half === "all" || values.half.split(",").includes(each))) {
  const { documents, asks } = await readEverydaySet(half, rows);
  const folder = temporaryFolder();
  const settings = { CARREL_MODELS_EMBEDDING_MODEL: "static", CARREL_LOG_LEVEL: "error" };
  const program = await startProgram(commandOf(values.binary), folder.path, settings);
  try {
    const ids = await uploadAll(program, documents);
    for (const ask of asks.filter(isWanted)) {
      const [said = ""] = ask.turns;
      if (!isGood(ask, await askServer(program, ask, ids))) continue;
      for (const template of templatesOf.get(ask.language) ?? []) {
        const turns = [wrapped(template, said)];
        const good = isGood(ask, await askServer(program, { ...ask, turns }, ids));
        const key = `${ask.language} ${JSON.stringify(template)}`;
        const tally = tallies.get(key) ?? { asked: 0, good: 0 };
        tallies.set(key, tally);
        for (const each of [tally, all[ask.expects === "none-or-hedge" ? "absent" : "present"]]) {
          each.asked++;
          each.good += good ? 1 : 0;
        }
        if (!good && values.show) print(`  ${ask.id}: ${turns[0]}`);
      }
    }
  } finally {
    await program.stop();
    folder.remove();
  }
}

for (const [template, { asked, good }] of tallies) if (good < asked) print(`${good} of ${asked}: ${template}`);
const share = ({ asked, good }: Tally): string =>
  `${good} of ${asked} (${((100 * good) / Math.max(1, asked)).toFixed(1)} %)`;
print(
  `\nAsks answered rightly that stay so: ${share(all.present)}. Absent ones that are not told as sure: ${share(all.absent)}.`,
);
