/** One round of batch.ts: tells the process that started it the ratio. */
import { createCorpus } from "../serving/corpus.ts";
import { show } from "../serving/figures.ts";
import { ingestFloor } from "../serving/floors.ts";
import { commandOf, sendBatch, startProgram, temporaryFolder, untilProcessed } from "../serving/program.ts";

const [binary = "-", ...numbers] = process.argv.slice(2);
const [count = 10_000, characters = 500] = numbers.map(Number);
const command = commandOf(binary);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

const corpus = createCorpus(11);
const texts = Array.from({ length: count }, () => corpus.document(characters));
const documents = texts.map((text, at) => ({ name: `document ${at}`, text }));
const folder = temporaryFolder();
const program = await startProgram(command, folder.path);
try {
  await sendBatch(program, [{ name: "warm", text: "Warms up what is loaded on first use." }]);
  await untilProcessed(program, 1);
  show("resident, before", `${(await program.residentMb()).toFixed(0)} MB`);

  const lines = documents.map((document) => JSON.stringify(document));
  const parseStarted = performance.now();
  const parsed = lines.map((line) => (JSON.parse(line) as { text: string }).text);
  const parseMs = performance.now() - parseStarted;
  const floorMs = parseMs + (await ingestFloor(parsed, `${folder.path}/floor`));

  const started = performance.now();
  const marks = [count / 10, count / 2, count];
  const storedMs = await sendBatch(program, documents, async (answered) => {
    while (marks[0] !== undefined && answered >= marks[0])
      show(`resident, ${marks.shift()} documents answered`, `${(await program.residentMb()).toFixed(0)} MB`);
  });
  await untilProcessed(program, count + 1);
  const ms = performance.now() - started;
  show(`${count} documents of ${characters} characters, all lines answered`, seconds(storedMs));
  show("the last one found", `${seconds(ms)}, ${((count / ms) * 1_000).toFixed(0)} a second`);
  show("the same parsed, cut, analyzed, embedded, written in one call", seconds(floorMs));
  show("ratio", (ms / floorMs).toFixed(2));
  process.send?.(ms / floorMs);
  await Bun.sleep(3_000);
  show("resident, 3 s later", `${(await program.residentMb()).toFixed(0)} MB`);
} finally {
  await program.stop();
  folder.remove();
}
