import { resolve } from "node:path";
import { createSourceCheck, type SourceCheck } from "../../src/answers/marks/source-check.ts";
import { type Estimate, estimate } from "../../src/evaluation/estimates.ts";
import { readSets } from "../../src/evaluation/sets.ts";
import { createInProcessCollections, embeddingOf } from "./in-process.ts";
import { type MarkedStatement, planMarks, type Wording } from "./planted-marks.ts";

const usage = `Measures whether wrong marks in the answers of models are told from right ones.

  bun bench/quality/citations.ts FOLDER [MAX]

FOLDER holds a folder for each set, as for main.ts. Of at most MAX questions of each (400), the sentence that answers it is
taken from the snippet that holds it: word for word, with words left out, replaced and moved, and as question and answer.
It is marked with that snippet (right), with another of its results, with another passage of the same article, and with
the right one after a number in it was changed.`;

const [folder, max = "400"] = process.argv.slice(2);
if (folder === undefined || !/^\d+$/.test(max)) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

const model = await embeddingOf({ model: "static", config: undefined });

const isTakenOut = (check: SourceCheck, text: string, index: number): boolean =>
  check.judge(text, [index])[0]?.is === "unsupported";

/** 1 where the mark was taken out or moved, or the number noticed, else 0. */
interface Outcomes {
  right: Record<Wording, number[]>;
  otherSnippet: number[];
  sameArticle: number[];
  changedNumber: number[];
  /** Right statements that have a number which was not found. */
  rightNumber: number[];
  /** Of the wrong marks that were moved: to the right source. */
  moved: number[];
}

const outcomesOf = (statements: readonly MarkedStatement[]): Outcomes => {
  const outcomes: Outcomes = {
    right: { verbatim: [], reworded: [], asked: [] },
    otherSnippet: [],
    sameArticle: [],
    changedNumber: [],
    rightNumber: [],
    moved: [],
  };
  for (const { wording, text, snippets, right, otherSnippet, sameArticle, changedNumber } of statements) {
    const check = createSourceCheck(snippets.map((snippet) => ({ text: snippet })));
    const bit = (is: boolean): number => (is ? 1 : 0);
    outcomes.right[wording].push(bit(isTakenOut(check, text, right)));
    outcomes.rightNumber.push(bit(check.missingNumbers(text, [right]).length > 0));
    for (const [wrong, list] of [
      [otherSnippet, outcomes.otherSnippet] as const,
      [sameArticle, outcomes.sameArticle] as const,
    ]) {
      if (wrong < 0) continue;
      const [verdict] = check.judge(text, [wrong]);
      list.push(bit(verdict?.is === "unsupported"));
      if (verdict?.is === "unsupported" && verdict.moveTo !== null) outcomes.moved.push(bit(verdict.moveTo === right));
    }
    if (changedNumber !== null)
      outcomes.changedNumber.push(
        bit(check.missingNumbers(changedNumber, [right]).length > 0 || isTakenOut(check, changedNumber, right)),
      );
  }
  return outcomes;
};

const percent = (value: number): string => (value * 100).toFixed(1);
const figure = (values: readonly number[]): string => {
  if (values.length === 0) return "";
  const { mean, low, high }: Estimate = estimate(values);
  return `${percent(mean)} [${percent(low)}, ${percent(high)}]`;
};

const lines = [
  "| set | statements | right mark taken out: verbatim | reworded | question and answer | wrong mark caught: other snippet | same article | moved | of those, rightly | changed number noticed | number of a right statement not found |",
  `|${"---|".repeat(11)}`,
];
for (const set of await readSets(resolve(folder))) {
  const collections = createInProcessCollections(model);
  try {
    const collection = await collections.ingest(set.name, set.documents);
    const statements = await planMarks(set, collection, Number(max));
    const { right, otherSnippet, sameArticle, moved, changedNumber, rightNumber } = outcomesOf(statements);
    const cells = [
      set.name,
      statements.length,
      ...[right.verbatim, right.reworded, right.asked, otherSnippet, sameArticle].map(figure),
      moved.length,
      ...[moved, changedNumber, rightNumber].map(figure),
    ];
    lines.push(`| ${cells.join(" | ")} |`);
    process.stderr.write(`${set.name} done\n`);
  } finally {
    await collections.close();
  }
}
process.stdout.write(`${lines.join("\n")}\n`);
process.exit(0);
