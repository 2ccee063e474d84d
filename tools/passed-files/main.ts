/**
 * Prints the files that one text and one question pass in a running server: those of which a function is called on the main
 * thread from the request to the answer. `npx bun tools/passed-files/main.ts` prints how many, `--list` which.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { list: { type: "boolean", default: false } } });
const root = join(import.meta.dir, "../..");
const folder = mkdtempSync(join(tmpdir(), "carrel-passed-"));
const listFile = join(folder, "passed");
const adminKey = `crl_${"p".repeat(43)}`;

const child = Bun.spawn(
  [process.execPath, "--preload", join(import.meta.dir, "preload.ts"), join(root, "src/main.ts"), "serve"],
  {
    cwd: folder,
    env: {
      ...process.env,
      PASSED_FILES: listFile,
      BUN_JSC_forceRAMSize: "1073741824", // else the program starts itself again, without what is preloaded
      CARREL_ADMIN_KEY: adminKey,
      CARREL_DATA_DIR: join(folder, "data"),
      CARREL_SERVER_PORT: "0",
      CARREL_LOG_LEVEL: "warn",
      CARREL_MODELS_EMBEDDING_MODEL: "static", // a model fills its vectors beside the requests
    },
    stdout: "pipe",
    stderr: "inherit",
  },
);

const addressOf = async (output: ReadableStream<Uint8Array>): Promise<string> => {
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of output) {
    text += decoder.decode(part, { stream: true });
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`the server ended before it was ready:\n${text}`);
};

/** The files passed since the last call. */
const takePassed = async (): Promise<string[]> => {
  rmSync(listFile, { force: true });
  child.kill("SIGUSR2");
  while (!existsSync(listFile)) await Bun.sleep(5);
  await Bun.sleep(5);
  return readFileSync(listFile, "utf8").split("\n").filter(Boolean);
};

const texts = [
  "The library opens at nine in the morning. On Sundays it is closed.",
  "Parcels are handed out at the desk. Whoever collects one shows a card with a photograph.",
];
const questions = ["When does the library open?", "What does one show to collect a parcel?"];

try {
  const address = await addressOf(child.stdout);
  const post = async (path: string, body: unknown): Promise<void> => {
    const answer = await fetch(address + path, {
      method: "POST",
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    await answer.json();
  };
  const passedBy = async (request: () => Promise<void>): Promise<string[]> => {
    await Bun.sleep(1_500); // what earlier requests left to do
    await takePassed();
    await request();
    return await takePassed();
  };
  // What is loaded or made with the first request of a kind is no part of the journey.
  await post("/api/ingest", { name: "First", text: texts[0] });
  await post("/api/query", { query: questions[0] });
  const journeys = {
    text: await passedBy(() => post("/api/ingest", { name: "Second", text: texts[1] })),
    question: await passedBy(() => post("/api/query", { query: questions[1] })),
  };
  for (const [name, files] of Object.entries(journeys)) {
    console.log(`a ${name} passes ${files.length} files`);
    if (values.list) for (const file of files) console.log(`  ${file}`);
  }
} finally {
  child.kill();
  await child.exited;
  rmSync(folder, { recursive: true, force: true });
}
