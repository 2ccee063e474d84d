/**
 * Many small documents in one batch, until the last of them is found:
 *
 *     bun bench/ingest/batch.ts [BINARY|-] [documents] [characters]
 *
 * Prints documents a second against the work that cannot be avoided (the same lines parsed, cut, analysed, embedded and
 * written with one LanceDB call in process, in the same run), and resident memory on the way.
 */
import { createCorpus } from "../serving/corpus.ts";
import { show } from "../serving/figures.ts";
import { ingestFloor } from "../serving/floors.ts";
import { commandOf, type Program, startProgram, temporaryFolder } from "../serving/program.ts";

const [binary = "-", ...numbers] = process.argv.slice(2);
const [count = 10_000, characters = 500] = numbers.map(Number);
const command = commandOf(binary);
const pollMs = 200;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

const processed = async (program: Program): Promise<number> => {
  const counted = async (status: string): Promise<number> => {
    const url = `${program.url}/api/document?status=${status}&limit=1`;
    const response = await fetch(url, { headers: program.headers });
    if (!response.ok) throw new Error(await response.text());
    return Number(response.headers.get("x-total-count"));
  };
  if ((await counted("failed")) > 0) throw new Error("a document failed");
  return counted("processed");
};

/** Sends all lines. @returns milliseconds until each is answered as stored */
const send = async (program: Program, lines: readonly string[]): Promise<number> => {
  const started = performance.now();
  const response = await fetch(`${program.url}/api/ingest/batch`, {
    method: "POST",
    headers: { ...program.headers, "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
  const answers = (await response.text()).trim().split("\n");
  const stored = answers.filter((answer) => answer.includes('"status":"pending"')).length;
  if (stored !== lines.length) throw new Error(`${stored} of ${lines.length} lines were stored: ${answers[0]}`);
  return performance.now() - started;
};

const corpus = createCorpus(11);
const texts = Array.from({ length: count }, () => corpus.document(characters));
const lines = texts.map((text, at) => JSON.stringify({ name: `document ${at}`, text }));
const folder = temporaryFolder();
const program = await startProgram(command, folder.path);
try {
  await send(program, [JSON.stringify({ name: "warm", text: "Warms up what is loaded on first use." })]);
  while ((await processed(program)) < 1) await Bun.sleep(pollMs);
  show("resident, before", `${(await program.residentMb()).toFixed(0)} MB`);

  const floorStarted = performance.now();
  const parsed = lines.map((line) => (JSON.parse(line) as { text: string }).text);
  await ingestFloor(parsed, `${folder.path}/floor`);
  const floorMs = performance.now() - floorStarted;

  const started = performance.now();
  let storedMs = 0;
  let fault: unknown = null;
  const sending = send(program, lines).then(
    (ms) => {
      storedMs = ms;
    },
    (error: unknown) => {
      fault = error;
    },
  );
  const marks = [count / 10, count / 2, count];
  for (let done = 0; done < count && fault === null; ) {
    await Bun.sleep(pollMs);
    done = (await processed(program)) - 1;
    while (marks[0] !== undefined && done >= marks[0])
      show(`resident, ${marks.shift()} documents processed`, `${(await program.residentMb()).toFixed(0)} MB`);
  }
  await sending;
  if (fault !== null) throw fault;
  const ms = performance.now() - started;
  show(`${count} documents of ${characters} characters, all lines answered`, seconds(storedMs));
  show("the last one found", `${seconds(ms)}, ${((count / ms) * 1_000).toFixed(0)} a second`);
  show("the same parsed, cut, analysed, embedded, written in one call", seconds(floorMs));
  show("ratio (aim: at most 1.5)", (ms / floorMs).toFixed(2));
  await Bun.sleep(3_000);
  show("resident, 3 s later", `${(await program.residentMb()).toFixed(0)} MB`);
} finally {
  await program.stop();
  folder.remove();
}
