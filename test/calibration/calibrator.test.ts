import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSets } from "../../src/evaluation/sets.ts";
import { startTestServer, type TestServer } from "../start-server.ts";
import { until } from "../until.ts";

const dataDir = await mkdtemp(join(tmpdir(), "carrel-calibration-"));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const [set] = (await readSets(join(import.meta.dir, "../fixtures/retrieval"))).filter(
  ({ name }) => name === "xquad-de",
);
if (set === undefined) throw new Error("the fixture is missing");
/** Whole articles: the second half is absent. */
const titles = [...new Set(set.documents.map(({ title }) => title))];
const isThere = (title: string): boolean => titles.indexOf(title) < titles.length / 2;

const ingest = async (server: TestServer, documents: typeof set.documents): Promise<void> => {
  const lines = documents.map(({ title, text }) => JSON.stringify({ name: title, text })).join("\n");
  const headers = { "content-type": "application/x-ndjson" };
  const response = await server.call("/api/ingest/batch", { method: "POST", headers, body: lines });
  await response.text();
  const listed = async (): Promise<number> =>
    ((await (await server.call("/api/document?limit=100&status=processed")).json()) as unknown[]).length;
  const all = Math.min(100, documents.length);
  await until(async () => (await listed()) >= all, "all documents are processed");
};

interface Receipt {
  receipt: { confidence: number; refusedAbove: number; calibratedOn: number };
}
const ask = async (server: TestServer, query: string): Promise<Receipt> =>
  (await (await server.post("/api/query", { query })).json()) as Receipt;

/** Waits until the gate is fitted to more than half of the documents: it may have begun while they came in. */
const calibrated = (server: TestServer, organizationId: string, documents: number): Promise<void> =>
  until(
    () => 2 * (server.program.deps.calibrator.of(organizationId)?.snippets ?? 0) > documents,
    "the gate is calibrated",
  );

test("a store calibrates itself from its own text, keeps that over a restart, and refuses what is absent", async () => {
  const documents = set.documents.filter(({ title }) => isThere(title));
  let server = await startTestServer({}, {}, dataDir);
  const [organization] = await server.program.deps.store.organizations.list();
  const id = organization?.id ?? "";
  const before = await ask(server, "Wie hoch ist der Turm?");
  expect(server.program.deps.calibrator.of(id)).toBeNull();
  await ingest(server, documents);
  await calibrated(server, id, documents.length);
  const after = await ask(server, "Wie hoch ist der Turm?");
  expect(before.receipt.calibratedOn).toBe(0);
  expect(after.receipt.calibratedOn).toBeGreaterThan(20);

  const there = set.questions.filter((question) => documents.some(({ id: document }) => scores(question, document)));
  const absent = set.questions.filter((question) => !there.includes(question));
  const refused = async (questions: typeof set.questions): Promise<number> => {
    let count = 0;
    for (const { text } of questions) {
      if ((await ask(server, text)).receipt.refusedAbove < 0.5) count++;
    }
    return count / questions.length;
  };
  expect(there.length).toBeGreaterThan(20);
  expect(absent.length).toBeGreaterThan(20);
  expect(await refused(there)).toBeLessThan(0.15);
  expect(await refused(absent)).toBeGreaterThan(0.75);

  const learned = server.program.deps.calibrator.of(id);
  await server.stop();
  server = await startTestServer({}, {}, dataDir);
  try {
    // At once, from the disk.
    expect(server.program.deps.calibrator.of(id)?.coefficients).toEqual([...(learned?.coefficients ?? [])]);
    expect((await ask(server, "Wie hoch ist der Turm?")).receipt).toMatchObject({
      calibratedOn: learned?.snippets ?? 0,
    });
  } finally {
    await server.stop();
  }
});

const scores = (question: (typeof set.questions)[number], document: string): boolean =>
  question.score({ pieces: [{ document, start: 0, end: 1 }], refusedAbove: 1 }).recall5 > 0;
