import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { generateKey } from "../../src/access/key.ts";
import { serverCollections } from "../../src/commands/eval/collections.ts";
import type { Collections } from "../../src/evaluation/collection.ts";
import type { ChosenEmbedding } from "./in-process.ts";

/** How long the program may take until it listens: the first start unpacks its native parts. */
const startMs = 60_000;

interface Started {
  url: string;
  key: string;
  stop(): Promise<void>;
}

/** The program as an operator starts it, over an empty store, on a free port of this machine. */
const start = async (binary: string, { model, config }: ChosenEmbedding): Promise<Started> => {
  const folder = await mkdtemp(join(tmpdir(), "carrel-quality-"));
  const key = generateKey();
  const server = Bun.spawn([binary, "serve", ...(config === undefined ? [] : ["--config", resolve(config)])], {
    cwd: folder,
    env: {
      ...process.env,
      // The settings file may name a port, folders and more: here its models alone are wanted.
      CARREL_DATA_DIR: join(folder, "data"),
      CARREL_SERVER_HOST: "127.0.0.1",
      CARREL_SERVER_PORT: "0",
      CARREL_SERVER_BASE_URL: "",
      CARREL_FOLDERS: "",
      CARREL_SITES: "",
      CARREL_WEBHOOKS: "",
      CARREL_LOG_LEVEL: "error",
      CARREL_ADMIN_KEY: key,
      ...(config === undefined ? { CARREL_MODELS_EMBEDDING_MODEL: model } : {}),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = async (): Promise<void> => {
    server.kill();
    await server.exited;
    await rm(folder, { recursive: true, force: true });
  };
  const url = await Promise.race([addressIn(server.stdout), Bun.sleep(startMs).then(() => null)]);
  if (url !== null) return { url, key, stop };
  await stop();
  throw new Error(`${binary} did not start to listen.`);
};

/** @returns null where the output ends without one */
const addressIn = async (output: ReadableStream<Uint8Array>): Promise<string | null> => {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const found = /listens on (http:\/\/\S+)\n/.exec(text);
    if (found?.[1] !== undefined) return found[1];
  }
  return null;
};

/** Starts the program for each set and asks it by HTTP. */
export const binaryCollections = (
  binary: string,
  embedding: ChosenEmbedding,
  onNote: (note: string) => void,
): Collections => {
  const opened: { started: Started; collections: Collections }[] = [];
  return {
    async ingest(name, documents, onDone) {
      const started = await start(binary, embedding);
      const collections = serverCollections(started.url, started.key, new AbortController().signal, onNote);
      opened.push({ started, collections });
      return await collections.ingest(name, documents, onDone);
    },
    async close() {
      // The store goes as a whole: nothing in it needs to be deleted first.
      for (const { started } of opened.splice(0)) await started.stop();
    },
  };
};
