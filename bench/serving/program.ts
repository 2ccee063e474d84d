import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { residentMbOf } from "./process-figures.ts";

const pollMs = 200;
const adminKey = `crl_${"b".repeat(43)}`;

/** A running Carrel with its own data folder, and how long it took to be ready. */
export interface Program {
  url: string;
  pid: number;
  readyMs: number;
  headers: Record<string, string>;
  /** Resident set of the process, in megabytes. */
  residentMb(): Promise<number>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
}

/** @returns the answer's body. @throws Error with it where it is no success */
export const post = async (program: Program, path: string, body: unknown): Promise<unknown> => {
  const answer = await fetch(program.url + path, {
    method: "POST",
    headers: program.headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

/** Snippets that a question is searched among. */
export const snippetsOf = async (program: Program): Promise<number> => {
  const { receipt } = (await post(program, "/api/search", { query: "what" })) as {
    receipt: { searched: { snippets: number } };
  };
  return receipt.searched.snippets;
};

/** The binary to start, or where none is named (`-`, nothing) the program's source. */
export const commandOf = (binary: string | undefined): string[] =>
  binary === undefined || binary === "-"
    ? [process.execPath, resolve(import.meta.dir, "../../src/main.ts")]
    : [resolve(binary)];

/** Ingests all documents, each with a request of its own, several at once. @returns milliseconds */
export const ingestAll = async (
  program: Program,
  documents: readonly { name: string; text: string }[],
  clients: number,
): Promise<number> => {
  const started = performance.now();
  const left = documents.values();
  const client = async () => {
    for (const document of left) await post(program, "/api/ingest", document);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return performance.now() - started;
};

/**
 * Sends documents as one batch.
 * @param onAnswered called with the number of lines that are answered so far
 * @returns milliseconds until each line is answered as stored. @throws where one is not
 */
export const sendBatch = async (
  program: Program,
  documents: readonly { name: string; text: string }[],
  onAnswered: (lines: number) => Promise<void> = async () => undefined,
): Promise<number> => {
  const body = documents.map((document) => JSON.stringify(document)).join("\n");
  const started = performance.now();
  const response = await fetch(`${program.url}/api/ingest/batch`, {
    method: "POST",
    headers: { ...program.headers, "content-type": "application/x-ndjson" },
    body,
  });
  let stored = 0;
  let last = "";
  if (response.body === null) throw new Error("an answer without a body");
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const answers = (last + part).split("\n");
    last = answers.pop() ?? "";
    const refused = answers.find((answer) => !answer.includes('"status":"pending"'));
    if (refused !== undefined) throw new Error(refused);
    stored += answers.length;
    await onAnswered(stored);
  }
  if (stored !== documents.length) throw new Error(`${stored} of ${documents.length} lines were stored`);
  return performance.now() - started;
};

/** Waits until the given number of documents is processed. @throws where one failed */
export const untilProcessed = async (program: Program, count: number): Promise<void> => {
  const counted = async (status: string): Promise<number> => {
    const url = `${program.url}/api/document?status=${status}&limit=1`;
    const response = await fetch(url, { headers: program.headers });
    if (!response.ok) throw new Error(await response.text());
    return Number(response.headers.get("x-total-count"));
  };
  for (let last = -1; ; ) {
    const processed = await counted("processed");
    if (processed >= count) return;
    // Looking costs the program time: what failed is asked for only where nothing goes on.
    if (processed === last && (await counted("failed")) > 0) throw new Error("a document failed");
    last = processed;
    await Bun.sleep(pollMs);
  }
};

/**
 * Starts the program on a free port of the loopback address.
 * @param command the binary, or bun and src/main.ts
 * @param settings further variables of the environment
 */
export const startProgram = async (
  command: readonly string[],
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Program> => {
  mkdirSync(dataDir, { recursive: true });
  const started = performance.now();
  const child = Bun.spawn([...command, "serve"], {
    cwd: dataDir,
    env: {
      ...process.env,
      CARREL_ADMIN_KEY: adminKey,
      CARREL_DATA_DIR: join(dataDir, "data"),
      CARREL_SERVER_PORT: "0",
      CARREL_LOG_LEVEL: "warn",
      ...settings,
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let url: string | undefined;
  while (url === undefined) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the program ended before it was ready:\n${output}`);
    output += decoder.decode(value, { stream: true });
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
  }
  const readyMs = await untilReady(url, started);
  return {
    url,
    pid: child.pid,
    readyMs,
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    async residentMb() {
      return residentMbOf(child.pid);
    },
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
};

const untilReady = async (url: string, started: number): Promise<number> => {
  for (;;) {
    const ready = await fetch(`${url}/health/ready`).catch(() => null);
    if (ready?.ok) return performance.now() - started;
    await Bun.sleep(5);
  }
};

/** A folder that is removed again. */
export const temporaryFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), "carrel-bench-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};
