import { expect, test } from "bun:test";
import { join } from "node:path";
import { backUp, temporaryTarget } from "../backup/temporary-backups.ts";
import { formOf } from "../call-server.ts";
import { startTestServer } from "../start-server.ts";
import { until } from "../until.ts";

const rounds = 10;
const writers = 4;

/**
 * Backups of a server that ingests, replaces, deletes and erases meanwhile. Each is restored; what was acknowledged
 * before its mark is there and found, with its file.
 */
test("every document acknowledged before the mark is restored and found", async () => {
  const place = await temporaryTarget();
  const server = await startTestServer({ backup: { path: place.target, keep: rounds } }, { eraseWithinMs: 300 });
  const stop = new AbortController();
  /** By name: when it was acknowledged, its newest text, and when its deletion was asked for. */
  const book = new Map<string, { id: string; acknowledgedAt: number; deletedAt: number; isFile: boolean }>();
  let count = 0;
  const ingest = async (): Promise<void> => {
    const number = count++;
    const name = `word${number}x`;
    const text = `The keeper of ${name} lives in house ${number}. `.repeat(20);
    const form = formOf({ file: new File([text], `${name}.txt`) });
    const isFile = number % 2 === 0;
    const answer = await server.ask("POST", "/api/ingest", isFile ? { body: form } : { json: { name, text } });
    if (answer.status !== 200) throw new Error(answer.text);
    book.set(name, { id: answer.body.id, acknowledgedAt: Date.now(), deletedAt: Number.POSITIVE_INFINITY, isFile });
  };
  const erase = async (): Promise<void> => {
    const alive = [...book.values()].filter(({ deletedAt }) => deletedAt === Number.POSITIVE_INFINITY);
    const entry = alive[Math.floor(alive.length / 3)];
    if (entry === undefined) return;
    entry.deletedAt = Date.now();
    await server.ask("DELETE", `/api/document/${entry.id}`);
  };
  const work = async (lane: number): Promise<void> => {
    for (let turn = 0; !stop.signal.aborted; turn += 1) {
      if (lane === 0 && turn % 2 === 1) await erase();
      else await ingest();
    }
  };
  const load = Array.from({ length: writers }, (_, lane) => work(lane));
  const backups = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await Bun.sleep(700); // documents of more than one moment, and a pass of the erasure
      await until(
        () => [...book.values()].filter(({ deletedAt }) => deletedAt === Number.POSITIVE_INFINITY).length > 3,
      );
      const made = await backUp(server);
      expect([made.status, made.error]).toEqual(["completed", null]);
      backups.push(made);
    }
  } finally {
    stop.abort();
    await Promise.all(load);
    await server.stop();
  }
  for (const { id, markedAt, documents } of backups) {
    const to = join(place.folder, id);
    expect((await place.carrel(["restore", place.target, "--backup", id, "--to", to])).status).toBe(0);
    const restored = await startTestServer({}, {}, to);
    const mark = Date.parse(markedAt ?? "");
    // What was still being acknowledged at the mark may be there or not.
    const due = [...book].filter(([, { acknowledgedAt, deletedAt }]) => acknowledgedAt < mark && deletedAt > mark);
    expect(due.length).toBeGreaterThan(0);
    expect(documents).toBeGreaterThanOrEqual(due.length);
    for (const [name, { id: documentId, isFile }] of due) {
      const shown = await restored.ask("GET", `/api/document/${documentId}`);
      expect([name, shown.status, shown.body.status]).toEqual([name, 200, "processed"]);
      expect(shown.body.originalText).toContain(name);
      if (isFile) expect((await restored.ask("GET", `/api/document/${documentId}/file`)).text).toContain(name);
      const found = await restored.ask("POST", "/api/search", { json: { query: `keeper of ${name}`, documentId } });
      expect([name, found.body.relevantSnippets.length > 0]).toEqual([name, true]);
    }
    await restored.stop();
  }
});
