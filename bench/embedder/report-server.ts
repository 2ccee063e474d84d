import assert from "node:assert/strict";
import { join } from "node:path";
import type { Static } from "@sinclair/typebox";
import { generateKey } from "../../src/access/key.ts";
import type { answerSchema } from "../../src/answers/schema.ts";
import type { EmbedderStatus } from "../../src/embedder/embedder.ts";
import { type KillableServer, startKillable } from "../serving/killable-server.ts";

const main = join(import.meta.dir, "../../src/main.ts");
const clients = 16;
const topicOf = (number: number) => `topic${number.toString(36)}x`;
const textOf = (number: number) =>
  `Report ${number}. The ${topicOf(number)} was inspected in the northern hall. Its keeper wrote a note about it.`;

/**
 * The server of one data directory, started again and again. Its documents are numbered reports, each with a topic of
 * its own.
 * @param onAnswer told how many milliseconds an answer took
 */
export const createReportServer = (dataDir: string, onAnswer: (ms: number) => void) => {
  const key = generateKey();
  let running: KillableServer | null = null;
  let url = "";

  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    assert.equal(response.status, 200);
    return (await response.json()) as T;
  };

  return {
    async start(model: Record<string, string>): Promise<void> {
      running = startKillable([process.execPath, main], dataDir, { CARREL_ADMIN_KEY: key, TMPDIR: dataDir, ...model });
      const listensAt = await running.url;
      if (listensAt === null) throw new Error("the server did not start");
      url = listensAt;
    },
    async ingest(documents: number): Promise<void> {
      const numbers = Array.from({ length: documents }, (_, number) => number).values();
      const client = async () => {
        for (const number of numbers) await call("/api/ingest", { name: `Report ${number}`, text: textOf(number) });
      };
      await Promise.all(Array.from({ length: clients }, client));
    },
    status: () => call<EmbedderStatus>("/api/embedder"),
    /** Asks for one report. Fails unless it is found first, by vectors too. */
    async askFor(number: number): Promise<void> {
      const began = performance.now();
      const { relevantSnippets, receipt } = await call<Static<typeof answerSchema>>("/api/search", {
        query: `Where was the ${topicOf(number)} inspected?`,
      });
      onAnswer(performance.now() - began);
      assert.equal(relevantSnippets[0]?.metadata.content, textOf(number));
      assert.ok(receipt.searched.vectors > 0);
      assert.deepEqual(receipt.warnings, []);
    },
    async stop(): Promise<void> {
      await running?.stop();
    },
    async kill(): Promise<void> {
      await running?.kill();
    },
  };
};
