import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ChatModel } from "../../../providers/contract.ts";
import { serverCollections } from "../../../src/commands/eval/collections.ts";
import type { EvaluationRun } from "../../../src/evaluation/run-file.ts";
import { writeTinySets } from "../../evaluation/tiny-sets.ts";
import { startTestServer } from "../../start-server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { type Run, run } from "../run.ts";

// Stores are made and questions asked: a slow shared machine needs more than the default 5 s.
const folder = await temporaryFolder("eval-test");
await mkdir(join(folder, "tmp"));
const sets = await writeTinySets();
const server = await startTestServer();
const put = async (name: string, text: string, extra: object = {}) =>
  expect((await server.post("/api/ingest", { name, text, ...extra })).status).toBe(200);
await put("pumps.md", "# Pumps\n\nThe primary pump is serviced every 400 hours.", {
  metadata: { externalId: "pumps-1", source: "handbook" },
});
await put("fans.md", "# Fans\n\nIn winter the fans run at 900 turns a minute.", { partition: "Fans" });
afterAll(async () => {
  await sets.remove();
});

const carrel = (argv: string[], env: Record<string, string> = {}): Promise<Run> =>
  run(argv, {
    cwd: folder,
    env: { CARREL_DATA_DIR: join(folder, "data"), TMPDIR: join(folder, "tmp"), XDG_CACHE_HOME: folder, ...env },
  });
/** The key of a server, in a file: an argument would show it to every user of the machine. */
const withKey = (key: string): string[] => {
  const file = join(folder, `key-${createHash("sha256").update(key).digest("hex").slice(0, 8)}`);
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return ["--key-file", file];
};
const online = (): string[] => ["--server", server.url, ...withKey(server.key)];
const readRun = (file: string): Promise<EvaluationRun> => Bun.file(join(folder, file)).json();

describe("sets", () => {
  test("a folder of sets is measured in stores that are gone afterwards, and compared with itself", async () => {
    const first = await carrel(["eval", sets.folder, "--json", "first.json"]);
    expect([first.status, first.err]).toEqual([0, expect.stringContaining("gardens: questions: 4")]);
    for (const words of [
      "nDCG@10",
      "RECALL@20",
      "OTHERS REFUSED",
      "FIRST QUOTATION",
      "95 % intervals",
      "static of builtin",
    ])
      expect(first.out).toContain(words);
    expect(first.out).toMatch(/^gardens +4 +4 +100\.0 \[100\.0, 100\.0\]/m);
    const { sets: measured } = await readRun("first.json");
    expect(measured.map(({ name }) => name)).toEqual(["gardens", "manual", "ships"]);
    const [gardens, manual] = measured;
    expect(gardens).toMatchObject({
      questions: ["q-rose", "q-bean", "q-hedge", "q-compost"],
      foreignQuestions: ["manual/1", "ships/q-anchor", "ships/q-keel", "ships/q-lamp"],
      runs: { fused: { recall5: [1, 1, 1, 1] } },
      sentences: { byModel: false, whole: [1, 1, 1, 1], overlapFirst: expect.any(Array) },
    });
    expect(gardens?.foreign.every((confidence) => confidence < 0.5)).toBe(true);
    expect(manual).toMatchObject({ runs: { fused: { recall5: [1] } }, sentences: null });
    // Neither the operator's folder nor a trace of the temporary one.
    expect(await readdir(join(folder, "tmp"))).toEqual([]);
    expect(await Bun.file(join(folder, "data")).exists()).toBe(false);

    const again = await carrel(["eval", sets.folder, "--set", "gardens", "--compare", "first.json", "--json"]);
    expect(again.status).toBe(0);
    const { sets: one, comparison } = JSON.parse(again.out);
    expect(one).toHaveLength(1);
    expect(comparison[0]).toMatchObject({ set: "gardens", label: "nDCG@10", mean: 0, p: 1 });
  });

  test("runs over other questions are refused before anything is measured", async () => {
    const shorter = await readRun("first.json");
    for (const set of shorter.sets) set.questions = set.questions.slice(1);
    await Bun.write(join(folder, "shorter.json"), JSON.stringify(shorter));
    const { status, out, err } = await carrel(["eval", sets.folder, "--compare", "shorter.json"]);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toContain("gardens: 4 questions now, 3 then (1 new, 0 gone)");
    expect(err).not.toContain("documents in");
    await Bun.write(join(folder, "other.json"), "{}");
    expect((await carrel(["eval", sets.folder, "--compare", "other.json"])).err).toContain("is not what `carrel eval");
    expect((await carrel(["eval", sets.folder, "--compare", "none.json"])).status).toBe(2);
  });

  test("on a running server it leaves no document, partition or key behind, and finds the same", async () => {
    const state = async () =>
      Promise.all(
        ["/api/document", "/api/partition", "/api/key"].map(async (path) => (await server.call(path)).json()),
      );
    const before = await state();
    const { status, err } = await carrel(["eval", sets.folder, ...online(), "--json", "online.json"]);
    expect([status, err]).toEqual([0, expect.not.stringContaining("note:")]);
    expect(await state()).toEqual(before);
    const [inTemporary, onServer] = await Promise.all([readRun("first.json"), readRun("online.json")]);
    expect(onServer.embedding).toEqual({ provider: "builtin", model: "static" });
    expect(onServer.sets.map(({ runs }) => runs)).toEqual(inTemporary.sets.map(({ runs }) => runs));
  });

  test.each(["/api/partition", "/api/key"])(
    "interrupted while it makes something at %s it leaves nothing",
    async (made) => {
      const stop = new AbortController();
      const forward = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        async fetch(request) {
          const { pathname, search } = new URL(request.url);
          const { method, headers } = request;
          const answer = await server.call(`${pathname}${search}`, { method, headers, body: await request.text() });
          if (method === "POST" && pathname === made) stop.abort("SIGINT");
          return new Response(await answer.text(), { status: answer.status });
        },
      });
      try {
        const count = async (path: string) => ((await (await server.call(path)).json()) as object[]).length;
        const state = () => Promise.all(["/api/partition", "/api/key"].map(count));
        const then = await state();
        const collections = serverCollections(forward.url.href, server.key, stop.signal, () => undefined);
        await expect(collections.ingest("ships", [], () => undefined)).rejects.toBe("SIGINT");
        await collections.close();
        expect(await state()).toEqual(then);
      } finally {
        await forward.stop(true);
      }
    },
  );

  test("a writer's key does, and is told what it costs; a reader's does not", async () => {
    const make = async (role: string) =>
      ((await (await server.post("/api/key", { name: role, role })).json()) as { key: string }).key;
    const keyed = async (role: string) =>
      carrel(["eval", join(sets.folder, "ships"), "--server", server.url, ...withKey(await make(role))]);
    const writer = await keyed("writer");
    expect([writer.status, writer.err]).toEqual([
      0,
      expect.stringContaining("note: ships: this key may not make another"),
    ]);
    expect((await keyed("reader")).status).toBe(1);
    expect(((await (await server.call("/api/partition")).json()) as object[]).length).toBe(1);
  });
});

test("answers that a model writes are looked at only when told to", async () => {
  let asked = 0;
  const answerModel: ChatModel = {
    provider: "test",
    model: "sure",
    contextTokens: async () => 4096,
    estimateTokens: (text) => text.length,
    async *chat() {
      asked++;
      yield { type: "delta", text: "It is Four  Tonnes, I think [1]." };
      yield { type: "done", finishReason: "stop", promptTokens: 1, outputTokens: 1, model: "sure" };
    },
  };
  const own = await startTestServer({}, { parts: { answerModel } });
  try {
    const ships = ["eval", join(sets.folder, "ships"), "--server", own.url, ...withKey(own.key)];
    const without = await carrel(ships);
    expect([without.status, asked]).toEqual([0, 1]);
    expect(without.err).toContain("note: ships: a model writes the answers; they are measured only with --answers.");
    const { status, out } = await carrel([...ships, "--answers", "--json"]);
    expect([status, asked]).toEqual([0, 4]);
    // Where the passages hold the answer and the model's does not, they are quoted after it.
    expect(JSON.parse(out).sets[0].sentences).toMatchObject({ byModel: true, whole: [1, 0, 1], first: [] });
  } finally {
    await own.stop();
  }
});

describe("checks", () => {
  const check = async (text: string, ...more: string[]): Promise<Run> => {
    await Bun.write(join(folder, "checks.yaml"), text);
    return carrel(["eval", "checks.yaml", ...more]);
  };
  const passing = `checks:
  - question: How often is the pump serviced?
    expect: { documents: pumps-1, contains: 400 hours }
  - name: scoped
    question: How often is the pump serviced?
    partition: Fans
    expect: { refusal: true }
  - question: How often is the pump serviced?
    metadata: { source: handbook }
    expect: { documents: [pumps.md], answer: every 400 hours, refusal: false }
`;

  test("are made of feedback: run, and written into a new file", async () => {
    const none = await carrel(["eval", "--from-feedback", ...online()]);
    expect([none.status, none.err]).toEqual([2, expect.stringContaining("No feedback says what is wanted")]);
    const rate = async (query: string, said: object) => {
      const { receipt } = (await server.ask("POST", "/api/query", { json: { query } })).body;
      await server.ask("POST", "/api/feedback", { json: { receiptId: receipt.id, ...said } });
    };
    await rate("How often is the pump serviced?", { rating: "up" });
    await rate("How fast do the fans run in winter?", { rating: "down", expected: { text: "800 turns" } });
    await rate("Who painted the boats?", { rating: "down", reason: "wrong" });
    // That it was refused was right.
    await rate("How tall is the Matterhorn?", { rating: "up" });
    const asked = await carrel(["eval", "--from-feedback", ...online()]);
    expect([asked.status, asked.out]).toEqual([1, expect.stringContaining("\n2 of 3 passed\n")]);
    expect(asked.out).toContain('neither the answer nor a snippet contains "800 turns"');

    const written = await carrel(["eval", "--from-feedback", "feedback.yaml", ...online()]);
    expect([written.status, written.out]).toEqual([0, "3 checks written\n"]);
    const file = await carrel(["eval", "feedback.yaml", ...online()]);
    expect(file.out).toContain("\n2 of 3 passed\n");
    const again = await carrel(["eval", "--from-feedback", "feedback.yaml", ...online()]);
    expect([again.status, again.err]).toEqual([2, expect.stringContaining("could not be written")]);
  });

  test("all pass: 0; one does not: 1, with the reason and its line", async () => {
    const all = await check(passing, ...online());
    expect([all.status, all.out]).toEqual([0, expect.stringContaining("\n3 of 3 passed\n")]);
    expect(all.out).toMatch(/^passed +checks\.yaml:4 +scoped$/m);
    const more = `${passing}  - question: How fast do the fans run in winter?
    expect: { documents: boats.md, contains: 900 turns }
  - question: Anything?
    partition: Nowhere
    expect: { refusal: true }
`;
    const some = await check(more, ...online(), "--json");
    expect([some.status, some.err]).toEqual([1, expect.stringContaining("2 of 5 checks failed.")]);
    const { checks, passed } = JSON.parse(some.out);
    expect(passed).toBe(3);
    expect(checks[3]).toMatchObject({
      where: "checks.yaml:11",
      unmet: [expect.stringContaining('no snippet is from "boats.md"')],
    });
    expect(checks[4].unmet).toEqual(['it could not be asked: There is no partition "Nowhere".']);
  });

  test("without --server they go to the configured store", async () => {
    await Bun.write(join(folder, "checks.yaml"), passing);
    const own = await carrel(["eval", "checks.yaml"], { CARREL_DATA_DIR: server.dataDir });
    expect([own.status, own.out]).toEqual([0, expect.stringContaining("3 of 3 passed")]);
  });

  test("faults of the file, a wrong key and a server that is not there are 2", async () => {
    const faulty = await check("checks:\n  - question: A\n  - expect: { refusal: true }\n", ...online());
    expect([faulty.status, faulty.out]).toEqual([2, ""]);
    expect(faulty.err).toContain("checks.yaml:2: checks[0].expect expects nothing");
    expect(faulty.err).toContain("checks.yaml:3: checks[1].question is missing");
    expect((await check(passing, "--server", server.url, ...withKey(`crl_${"x".repeat(43)}`))).status).toBe(2);
    const nobody = await check(passing, "--server", "http://127.0.0.1:9", ...withKey("x"));
    expect([nobody.status, nobody.err]).toEqual([2, expect.stringContaining("does not answer")]);
  });
});

test("the key of a server comes from a file or the environment, never from an argument", async () => {
  const file = join(folder, "sure.yaml");
  await Bun.write(
    file,
    "checks:\n  - question: How often is the primary pump serviced?\n    expect: { refusal: false }\n",
  );
  const asked = ["eval", file, "--server", server.url];
  const shown = await carrel([...asked, "--key", server.key]);
  expect([shown.status, shown.out]).toEqual([2, ""]);
  expect(shown.err).toContain("--key-file FILE");
  expect(shown.err).not.toContain(server.key);
  expect((await carrel([...asked, `--key=${server.key}`])).status).toBe(2);
  expect((await carrel([...asked, ...withKey(server.key)])).status).toBe(0);
  expect((await carrel(asked, { CARREL_ADMIN_KEY: server.key })).status).toBe(0);
  expect((await carrel(asked, { CARREL_KEY: server.key, CARREL_ADMIN_KEY: `crl_${"x".repeat(43)}` })).status).toBe(0);
});

test("what does not go together is wrong usage", async () => {
  for (const argv of [
    ["eval"],
    ["eval", "nowhere"],
    ["eval", sets.folder, "--set", "none"],
    ["eval", sets.folder, ...withKey("x")],
    ["eval", sets.folder, "--server", server.url, "--key", server.key],
    ["eval", sets.folder, "--server", server.url, "--key-file", "nowhere"],
    ["eval", sets.folder, "--server", "localhost"],
    ["eval", sets.folder, "--server", server.url],
    ["eval", sets.folder, "--organization", "other"],
    ["eval", join(sets.folder, "readme.txt"), "--compare", "first.json"],
    ["eval", join(sets.folder, "readme.txt"), "--server", server.url, ...withKey("x"), "--organization", "other"],
    ["eval", join(folder, "tmp")],
    ["eval", "--calibrate"],
  ])
    expect([argv, (await carrel(argv)).status]).toEqual([argv, 2]);
});
