/**
 * CPU time of a question by `/v1/chat/completions` beside the same question by `/api/query`, on the compiled program with
 * quotations: `bun bench/openai/cost.ts dist/carrel`. Blocks alternate; the median of the blocks' ratios is printed.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const program = resolve(process.argv[2] ?? "dist/carrel");
const [blocks, perBlock] = [15, 60];
const folder = mkdtempSync(join(tmpdir(), "carrel-bench-"));
const key = `crl_${"b".repeat(43)}`;
const env = {
  ...process.env,
  CARREL_ADMIN_KEY: key,
  CARREL_DATA_DIR: join(folder, "data"),
  CARREL_SERVER_PORT: "0",
  CARREL_MODELS_EMBEDDING_MODEL: "static",
  CARREL_LOG_LEVEL: "error",
};
const child = Bun.spawn([program, "serve"], { env, cwd: folder, stdout: "pipe", stderr: "inherit" });

const addressOf = async (): Promise<string> => {
  let seen = "";
  for await (const bytes of child.stdout) {
    seen += new TextDecoder().decode(bytes);
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(seen);
    if (found !== null) return found[0];
  }
  throw new Error("the server did not start");
};

/** CPU time of the server so far, in ticks. */
const ticks = (): number => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
};

try {
  const url = await addressOf();
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  for (let n = 0; n < 40; n++)
    await post("/api/ingest", {
      name: `Machine ${n}`,
      text: `# Machine ${n}\n\nMachine ${n} is serviced in week ${n}. ${"It is oiled, cleaned and checked by the keeper. ".repeat(20)}`,
    });
  const question = (n: number): string => `When is machine ${n % 40} serviced?`;
  const ways = {
    query: (n: number) => post("/api/query", { query: question(n) }),
    chat: (n: number) =>
      post("/v1/chat/completions", { model: "carrel", messages: [{ role: "user", content: question(n) }] }),
  };
  const cost = async (way: keyof typeof ways): Promise<number> => {
    const before = ticks();
    for (let n = 0; n < perBlock; n++) await ways[way](n);
    return ticks() - before;
  };
  for (const way of ["query", "chat"] as const) await cost(way);
  const ratios: number[] = [];
  const sums = { query: 0, chat: 0 };
  for (let block = 0; block < blocks; block++) {
    const order = block % 2 === 0 ? (["query", "chat"] as const) : (["chat", "query"] as const);
    const took = { query: 0, chat: 0 };
    for (const way of order) took[way] = await cost(way);
    ratios.push(took.chat / took.query);
    sums.query += took.query;
    sums.chat += took.chat;
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(blocks / 2)] ?? 0;
  const ms = (sum: number): string => ((sum * 10) / (blocks * perBlock)).toFixed(2);
  console.log(`/api/query ${ms(sums.query)} ms, /v1/chat/completions ${ms(sums.chat)} ms of CPU a question`);
  console.log(`median ratio ${median.toFixed(3)}, of the sums ${(sums.chat / sums.query).toFixed(3)}`);
} finally {
  child.kill();
  await child.exited;
  rmSync(folder, { recursive: true, force: true });
}
