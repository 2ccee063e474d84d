/**
 * Passages of 1,000 characters that a built-in embedding turns into vectors in one second of CPU time.
 *
 *     bun bench/embedding.ts [FOLDER] [--model static|minilm] [--passages FILE]
 *
 * FOLDER: text files (.txt, .md, .json, .jsonl) to cut the passages from; without it, passages of generated words.
 * FILE gets the passages as JSON: `tools/minilm/speed.py FILE` embeds them with the original model in onnxruntime.
 */
import { parseArgs } from "node:util";
import { embeddingOf } from "./quality/in-process.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { model: { type: "string", default: "static" }, passages: { type: "string" } },
});
const passageLength = 1000;
const maxPassages = values.model === "static" ? 5000 : 300;
const rounds = 5;

const readText = async (folder: string): Promise<string> => {
  let text = "";
  for await (const file of new Bun.Glob("**/*.{txt,md,json,jsonl}").scan({ cwd: folder, absolute: true })) {
    if (text.length >= passageLength * maxPassages) break;
    text += `${await Bun.file(file).text()}\n`;
  }
  return text;
};

/** Words with the frequencies of Zipf's law: few are common, most are rare and cut into several wordpieces. */
const generateText = (): string => {
  const syllables =
    "an be con dis el for gra hol in jus ket lo men nor op per qui res sta tion un ver wil xy yel zo".split(" ");
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const words = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => syllables[Math.floor(random() * syllables.length)]).join(
      "",
    ),
  );
  let text = "";
  while (text.length < passageLength * maxPassages) text += `${words[Math.floor(words.length ** random()) - 1]} `;
  return text;
};

const [folder] = positionals;
const text = folder ? await readText(folder) : generateText();
const passages = Array.from({ length: Math.min(maxPassages, Math.floor(text.length / passageLength)) }, (_, index) =>
  text.slice(index * passageLength, (index + 1) * passageLength),
);
if (values.passages !== undefined) await Bun.write(values.passages, JSON.stringify(passages));
const startedAt = performance.now();
const embedding = await embeddingOf({ model: values.model, config: undefined });
await embedding.embed(["Loads what is loaded on first use."], "document", new AbortController().signal);
console.log(`loaded in ${(performance.now() - startedAt).toFixed(1)} ms`);
for (let round = 1; round <= rounds; round += 1) {
  const before = process.cpuUsage();
  await embedding.embed(passages, "document", new AbortController().signal);
  const used = process.cpuUsage(before);
  const seconds = (used.user + used.system) / 1e6;
  console.log(`round ${round}: ${Math.round(passages.length / seconds)} passages a CPU second`);
}
