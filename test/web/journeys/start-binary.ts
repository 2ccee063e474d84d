import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKey } from "../../../src/access/key.ts";
import { atEnd } from "../../at-end.ts";
import { type Answer, type CallOptions, callServer } from "../../call-server.ts";
import { compiledBinary } from "../../compiled-binary.ts";
import { freePort } from "../../free-port.ts";

/** The compiled program, serving from a data directory of its own. What it offers to tests is that of `TestServer`. */
export interface BinaryServer {
  url: string;
  /** An admin key. */
  key: string;
  dataDir: string;
  /** What the program that runs now has printed. */
  printed(): string;
  /** `fetch` of a path of this server with the admin key; `init.headers` go over it. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** `POST` of a JSON body. */
  post(path: string, body: unknown): Promise<Response>;
  /** One request, with the admin key where none is given; its answer, read to the end. */
  ask(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A new key. */
  issueKey(options: { role: "reader" | "writer" | "admin"; name?: string; userId?: string }): Promise<string>;
  /** Asked to stop (it finishes what it can within a tenth of a second), or killed. */
  bringDown(how: "stop" | "kill"): Promise<void>;
  /** At the same address, with the same data. */
  startAgain(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

interface BinaryOptions {
  /** No key is given: the program makes one and prints the link that carries it. */
  isFirstStart?: boolean;
  /** It goes on after the hook that starts it: who starts it stops it. */
  isKept?: boolean;
}

interface Running {
  url: string;
  printed(): string;
  end(how: "stop" | "kill"): Promise<void>;
}

/** @param settings environment variables; a function of the address, where they name it */
export const startBinary = async (
  settings: Record<string, string> | ((url: string) => Record<string, string>) = {},
  { isFirstStart = false, isKept = false }: BinaryOptions = {},
): Promise<BinaryServer> => {
  const binary = await compiledBinary();
  const folder = await mkdtemp(join(tmpdir(), "carrel-binary-"));
  const dataDir = join(folder, "data");
  const givenKey = isFirstStart ? null : generateKey();
  const start = (port: string, lastWords: RegExp): Promise<Running> =>
    startProcess(binary, folder, lastWords, {
      PATH: "", // what is installed on the machine, such as tesseract, changes what files give
      HOME: folder,
      TMPDIR: process.env.TMPDIR ?? "/tmp",
      CARREL_DATA_DIR: dataDir,
      CARREL_LOG_LEVEL: "error",
      CARREL_MODELS_EMBEDDING_MODEL: "static",
      CARREL_SERVER_DRAIN_TIMEOUT_MS: "100",
      ...(givenKey === null ? {} : { CARREL_ADMIN_KEY: givenKey }),
      ...(typeof settings === "function" ? settings(`http://127.0.0.1:${port}`) : settings),
      CARREL_SERVER_PORT: port,
    });
  const port = String(await freePort());
  let running = await start(port, isFirstStart ? endOfFirstWords : endOfAddress);
  const { url } = running;
  const key = givenKey ?? /#key=(crl_\w+)/.exec(running.printed())?.[1] ?? "";
  const call: BinaryServer["call"] = (path, init = {}) => {
    const headers = new Headers({ authorization: `Bearer ${key}` });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    return fetch(`${url}${path}`, { ...init, headers });
  };
  const ask: BinaryServer["ask"] = (method, path, { key: given = key, ...rest } = {}) =>
    callServer(url, method, path, { key: given, ...rest });
  const stop = async (): Promise<void> => {
    await running.end("kill");
    await rm(folder, { recursive: true, force: true });
  };
  return {
    url,
    key,
    dataDir,
    printed: () => running.printed(),
    call,
    post: (path, body) =>
      call(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    ask,
    async issueKey({ name = "For a test", ...options }) {
      return (await ask("POST", "/api/key", { json: { name, ...options } })).body.key;
    },
    bringDown: (how) => running.end(how),
    async startAgain() {
      running = await start(port, endOfAddress);
    },
    stop: isKept ? stop : atEnd(stop),
  };
};

/** What the program prints once it listens; more at a first start. */
const endOfAddress = /listens on http\S+\n/;
const endOfFirstWords = /\/docs\n/;

/** @throws Error where the program ends before it listens */
const startProcess = async (
  binary: string,
  folder: string,
  lastWords: RegExp,
  env: Record<string, string>,
): Promise<Running> => {
  const child = Bun.spawn([binary, "serve"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  const isListening = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      printed += piece;
      if (lastWords.test(printed)) isListening.resolve();
    }
    isListening.reject(new Error(`the program ended before it listened:\n${printed}`));
  };
  void read();
  await isListening.promise;
  return {
    url: /listens on (http:\S+)/.exec(printed)?.[1] ?? "",
    printed: () => printed,
    async end(how) {
      child.kill(how === "stop" ? "SIGTERM" : "SIGKILL");
      await child.exited;
    },
  };
};
