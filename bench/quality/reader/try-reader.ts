/**
 * What a reader (a model that reads question and passage together) would be worth to the everyday asks. The first command
 * writes what it would be given: each question with its outcome and the first six passages. Score the passages by any means,
 * and give the scores back; the second command says what becomes of the answers that are told as sure when those are told as
 * unsure whose passages are all below a border. See docs/decisions/reader.md.
 *
 *     bun bench/quality/reader/try-reader.ts --write FILE [--model static|auto|NAME] [--half heldout,later-heldout|all]
 *     bun bench/quality/reader/try-reader.ts --read FILE --scores FILE
 *
 * Scores: a JSON object, id of the ask -> a number for each of its passages, larger where the answer is likelier there.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { commandOf, post, startProgram, temporaryFolder } from "../../serving/program.ts";
import { untilVectors } from "../../serving/until-vectors.ts";
import { type Half, halves } from "../everyday/ask.ts";
import { askServer, uploadAll } from "../everyday/asking.ts";
import { type Certainty, judge, type Outcome } from "../everyday/judge.ts";
import { readEverydaySet } from "../everyday/set.ts";

const { values } = parseArgs({
  options: {
    write: { type: "string" },
    read: { type: "string" },
    scores: { type: "string" },
    model: { type: "string", default: "static" },
    half: { type: "string", default: "heldout,later-heldout,third-heldout" },
  },
});

interface Passage {
  document: string;
  headings: string[];
  text: string;
}

interface Read {
  id: string;
  half: Half;
  kind: string;
  language: string;
  question: string;
  isAbsent: boolean;
  outcome: Outcome;
  certainty: Certainty;
  passages: Passage[];
}

interface Found {
  relevantDocuments: { id: string; name: string }[];
  relevantSnippets: { metadata: { documentUploadId: string; headings: string[]; content: string } }[];
}
interface Asked extends Found {
  receipt: { asked: { kind: string; question: string }; computed: unknown };
}

const rows = 600;
const pollMs = 500;
const maxPassages = 6;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const passagesOf = ({ relevantDocuments, relevantSnippets }: Found): Passage[] => {
  const names = new Map(relevantDocuments.map(({ id, name }) => [id, name]));
  return relevantSnippets.slice(0, maxPassages).map(({ metadata: { documentUploadId, headings, content } }) => ({
    document: names.get(documentUploadId) ?? "",
    headings,
    text: content,
  }));
};

/** Questions that passages answer: no tables, lists of documents, summaries or chats. */
const readHalf = async (half: Half): Promise<Read[]> => {
  const folder = temporaryFolder();
  try {
    const settings = { CARREL_MODELS_EMBEDDING_MODEL: values.model, CARREL_LOG_LEVEL: "error" };
    const program = await startProgram(commandOf(undefined), folder.path, settings);
    try {
      const { documents, asks } = await readEverydaySet(half, rows);
      const ids = await uploadAll(program, documents);
      await untilVectors(program, pollMs);
      const read: Read[] = [];
      for (const ask of asks) {
        const [query = ""] = ask.turns;
        if (ask.turns.length > 1 || ask.expects === "no-sources") continue;
        const scope = ask.scope === null ? {} : { documentId: ids.get(ask.scope) };
        const asked = (await post(program, "/api/query", { query, ...scope })) as Asked;
        if (asked.receipt.asked.kind !== "question" || asked.receipt.computed !== null) continue;
        const answer = await askServer(program, ask, ids);
        const found =
          asked.relevantSnippets.length > 0
            ? asked
            : ((await post(program, "/api/search", { query, limit: maxPassages, ...scope })) as Found);
        read.push({
          id: ask.id,
          half,
          kind: ask.kind,
          language: ask.language,
          question: asked.receipt.asked.question,
          isAbsent: ask.expects === "none-or-hedge",
          outcome: judge(ask, answer),
          certainty: answer.certainty,
          passages: passagesOf(found),
        });
      }
      return read;
    } finally {
      await program.stop();
    }
  } finally {
    folder.remove();
  }
};

const isRight = ({ isAbsent, outcome }: Read): boolean => !isAbsent && (outcome === "right" || outcome === "hedged");

/** The border above which so large a part of the values is. */
const borderOf = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((1 - share) * sorted.length)] ?? Number.NEGATIVE_INFINITY;
};

const printTrial = (read: readonly Read[], scores: Readonly<Record<string, number[]>>): void => {
  const sure = read.filter(({ certainty }) => certainty === "sure");
  const counts = (some: readonly Read[]): number[] => [
    some.filter(isRight).length,
    some.filter((one) => isRight(one) && one.kind === "plain").length,
    some.filter((one) => !one.isAbsent && !isRight(one)).length,
    some.filter(({ isAbsent }) => isAbsent).length,
  ];
  print(
    "| passages read | plain ones kept | right | of these plain | wrong | absent |\n| --- | --- | --- | --- | --- | --- |",
  );
  print(`| none | | ${counts(sure).join(" | ")} |`);
  for (const passages of [1, 2, maxPassages])
    for (const share of [0.98, 0.96]) {
      const best = ({ id }: Read): number => Math.max(...(scores[id] ?? []).slice(0, passages));
      // The border of each half is chosen on the others.
      const kept = sure.filter((one) => {
        const plain = sure.filter(({ half, kind }) => half !== one.half && kind === "plain").filter(isRight);
        return best(one) >= borderOf(plain.map(best), share);
      });
      print(`| ${passages} | ${share * 100} % | ${counts(kept).join(" | ")} |`);
    }
};

if (values.write !== undefined) {
  const wanted = halves.filter((half) => values.half === "all" || values.half.split(",").includes(half));
  const read: Read[] = [];
  for (const half of wanted) read.push(...(await readHalf(half)));
  await writeFile(values.write, JSON.stringify(read, null, 1));
  print(`${read.length} questions, ${read.flatMap(({ passages }) => passages).length} passages`);
} else if (values.read !== undefined && values.scores !== undefined)
  printTrial(JSON.parse(await readFile(values.read, "utf8")), JSON.parse(await readFile(values.scores, "utf8")));
else throw new Error("--write FILE, or --read FILE --scores FILE");
