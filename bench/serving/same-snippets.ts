/**
 * Whether 200 questions find the same six snippets as before a change:
 *
 *     bun bench/serving/same-snippets.ts FOLDER FILE [BINARY]
 *
 * FOLDER holds a store that `bun run bench` made (`--stores`, then its size). The first run writes what is found into FILE;
 * each later run compares with it and prints how many lists are the same, how many snippets, and which questions differ. Two
 * runs of one program find the same.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createCorpus } from "./corpus.ts";
import { show } from "./figures.ts";
import { commandOf, post, startProgram } from "./program.ts";

const [folder, file, binary] = process.argv.slice(2);
if (folder === undefined || file === undefined) {
  throw new Error("bun bench/serving/same-snippets.ts FOLDER FILE [BINARY]");
}
const questionCount = 200;

interface Asked {
  readonly query: string;
  readonly snippets: readonly string[];
}

const corpus = createCorpus(31);
const program = await startProgram(commandOf(binary), resolve(folder), { CARREL_MODELS_EMBEDDING_MODEL: "static" });
const asked: Asked[] = [];
try {
  for (let at = 0; at < questionCount; at += 1) {
    const query = corpus.question();
    const answer = await post(program, "/api/search", { query, limit: 6 });
    const { relevantSnippets } = answer as { relevantSnippets: { metadata: { id: string } }[] };
    asked.push({ query, snippets: relevantSnippets.map(({ metadata }) => metadata.id) });
  }
} finally {
  await program.stop();
}

if (!existsSync(file)) {
  writeFileSync(file, JSON.stringify(asked));
  show("written", file);
} else {
  const before = JSON.parse(readFileSync(file, "utf8")) as Asked[];
  const pairs = asked.map(({ query, snippets }, at) => ({ query, snippets, earlier: before[at]?.snippets ?? [] }));
  type Pair = (typeof pairs)[number];
  const isSame = ({ snippets, earlier }: Pair): boolean => snippets.join() === earlier.join();
  const shared = ({ snippets, earlier }: Pair): number => snippets.filter((id) => earlier.includes(id)).length;
  const all = pairs.reduce((sum, { earlier }) => sum + earlier.length, 0);
  show("lists the same", `${pairs.filter(isSame).length} of ${pairs.length}`);
  show("snippets the same", `${pairs.reduce((sum, pair) => sum + shared(pair), 0)} of ${all}`);
  show("first one the same", String(pairs.filter(({ snippets, earlier }) => snippets[0] === earlier[0]).length));
  for (const pair of pairs)
    if (!isSame(pair)) show("differs", `${shared(pair)} of ${pair.earlier.length} are the same: ${pair.query}`);
}
