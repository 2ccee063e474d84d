import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../temporary-folder.ts";

/** Text of our own, for tests: two small collections in BEIR's layout, with questions whose answers are known. */
const gardens = [
  [
    "rose",
    "Roses",
    "Roses are pruned in March. The cut is made above a bud that points outward.",
    "When are roses pruned?",
    "March",
  ],
  [
    "bean",
    "Beans",
    "Beans climb on poles two metres high. They are sown after the last frost in May.",
    "How high are the poles that beans climb on?",
    "two metres",
  ],
  [
    "hedge",
    "Hedges",
    "A hedge of hornbeam keeps its brown leaves in winter. It is trimmed twice a year.",
    "How often is a hedge of hornbeam trimmed?",
    "twice a year",
  ],
  [
    "compost",
    "Compost",
    "Compost needs water and air. It is turned over every six weeks with a fork.",
    "How often is compost turned over?",
    "every six weeks",
  ],
] as const;
const ships = [
  [
    "anchor",
    "Anchors",
    "The bower anchor of the ferry weighs four tonnes and hangs on a chain of steel links.",
    "What does the bower anchor of the ferry weigh?",
    "four tonnes",
  ],
  [
    "keel",
    "Keels",
    "A fin keel of lead holds the yacht upright when the wind presses on its sails.",
    "What is the fin keel of the yacht made of?",
    "lead",
  ],
  [
    "lamp",
    "Lamps",
    "The port side lamp of a vessel shines red, the starboard lamp shines green.",
    "Which colour shines the starboard lamp of a vessel?",
    "green",
  ],
] as const;

type Rows = readonly (readonly [string, string, string, string, string])[];

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Writes a set in BEIR's layout, with `answers.jsonl`. */
const writeSet = async (folder: string, rows: Rows): Promise<void> => {
  await mkdir(join(folder, "qrels"), { recursive: true });
  await Bun.write(join(folder, "corpus.jsonl"), lines(rows.map(([_id, title, text]) => ({ _id, title, text }))));
  await Bun.write(join(folder, "queries.jsonl"), lines(rows.map(([id, , , text]) => ({ _id: `q-${id}`, text }))));
  await Bun.write(
    join(folder, "answers.jsonl"),
    lines(rows.map(([id, , , , answer]) => ({ _id: `q-${id}`, answers: [answer] }))),
  );
  const judgments = rows.map(([id]) => `q-${id}\t${id}\t1\n`).join("");
  await Bun.write(join(folder, "qrels/test.tsv"), `query-id\tcorpus-id\tscore\n${judgments}`);
};

interface TinySets {
  /** Holds the sets `gardens`, `ships` (BEIR) and `manual` (excerpts), and a file that is none. */
  folder: string;
  remove(): Promise<void>;
}

export const writeTinySets = async (): Promise<TinySets> => {
  const folder = await temporaryFolder("sets");
  await writeSet(join(folder, "gardens"), gardens);
  await writeSet(join(folder, "ships"), ships);
  const text = `# Kiln\n\nThe kiln is heated slowly.\n\n## Glazing\n\nGlaze melts at 1240 degrees and must not touch the shelf.\n`;
  const excerpt = "Glaze melts at 1240 degrees";
  const start = text.indexOf(excerpt);
  await mkdir(join(folder, "manual/corpora"), { recursive: true });
  await Bun.write(join(folder, "manual/corpora/kiln.md"), text);
  await Bun.write(
    join(folder, "manual/questions.jsonl"),
    lines([
      {
        question: "At how many degrees does glaze melt?",
        corpus: "kiln",
        references: [{ content: excerpt, start_index: start, end_index: start + excerpt.length }],
      },
    ]),
  );
  await Bun.write(join(folder, "readme.txt"), "Not a set.\n");
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};
