import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import type { ChatModel } from "../../providers/contract.ts";
import type { KeyLimits } from "../../src/domain/records.ts";
import { noLimits } from "../../src/limits/rates.ts";
import { type ConfigChange, startTestServer, type TestServer } from "../start-server.ts";

/** The windows go by the clock: the tests put it forward. */
afterEach(() => {
  setSystemTime();
});

const open = noLimits;

const withServer = async (
  limits: { key?: Partial<KeyLimits>; organization?: Partial<KeyLimits> },
  run: (server: TestServer) => Promise<void>,
  answerModel: ChatModel | null = null,
): Promise<void> => {
  const change: ConfigChange = {
    limits: { key: { ...open, ...limits.key }, organization: { ...open, ...limits.organization } },
  };
  const server = await startTestServer(change, { parts: { answerModel } });
  await run(server);
};

describe("requests a minute", () => {
  test("without limits nobody is refused and no header is sent", async () => {
    await withServer({}, async (server) => {
      for (let count = 0; count < 30; count++) {
        const { status, headers } = await server.ask("GET", "/api/document");
        expect([status, headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([200, null, null]);
      }
    });
  });

  test("a key is told what is left, refused with Retry-After, and let in again when the minute is over", async () => {
    await withServer({ key: { requestsPerMinute: 3 } }, async (server) => {
      const key = await server.issueKey({ role: "reader" });
      const ask = () => server.ask("GET", "/api/document", { key });
      const remaining: (string | null)[] = [];
      for (let count = 0; count < 3; count++) {
        const { status, headers } = await ask();
        expect(status).toBe(200);
        expect(headers.get("ratelimit-policy")).toBe('"key-requests";q=3;w=60');
        remaining.push(/^"key-requests";r=(\d);t=\d+$/.exec(headers.get("ratelimit") ?? "")?.[1] ?? null);
      }
      expect(remaining).toEqual(["2", "1", "0"]);
      const refused = await ask();
      expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
      expect(refused.body.detail).toContain("3 requests a minute (requestsPerMinute of the key, or limits.key.");
      const waitSeconds = Number(refused.headers.get("retry-after"));
      expect(waitSeconds).toBeWithin(1, 61);
      expect(refused.headers.get("ratelimit")).toContain('"key-requests";r=0;t=');
      // Another key has its own.
      const other = await server.issueKey({ role: "reader" });
      expect((await server.ask("GET", "/api/document", { key: other })).status).toBe(200);
      setSystemTime(new Date(Date.now() + waitSeconds * 1_000));
      expect((await ask()).status).toBe(200);
    });
  });

  test("the organization's rate is that of all its keys; admin keys go on, and other organizations", async () => {
    await withServer({ organization: { requestsPerMinute: 4 } }, async (server) => {
      const [one, two] = [await server.issueKey({ role: "reader" }), await server.issueKey({ role: "writer" })];
      for (const key of [one, two, one, two])
        expect((await server.ask("GET", "/api/document", { key })).status).toBe(200);
      const refused = await server.ask("GET", "/api/document", { key: one });
      expect(refused.body.detail).toContain("limits.organization.requestsPerMinute");
      expect((await server.ask("GET", "/api/document", { key: two })).status).toBe(429);
      expect((await server.ask("GET", "/api/key")).status).toBe(200);
      const foreign = await server.issueKey({ organization: "Other", role: "reader" });
      expect((await server.ask("GET", "/api/document", { key: foreign })).status).toBe(200);
    });
  });

  test("health, and the operator's socket, are not limited", async () => {
    await withServer(
      { key: { requestsPerMinute: 1 }, organization: { requestsPerMinute: 1 } },
      async ({ url, dataDir }) => {
        for (let count = 0; count < 5; count++) {
          expect((await fetch(`${url}/health/live`)).status).toBe(200);
          const listed = await fetch("http://localhost/api/document", { unix: `${dataDir}/carrel.sock` });
          expect([listed.status, listed.headers.get("ratelimit")]).toEqual([200, null]);
        }
      },
    );
  });

  test("a session counts against its key", async () => {
    await withServer({ key: { requestsPerMinute: 2 } }, async (server) => {
      const key = await server.issueKey({ role: "reader" });
      const signedIn = await server.ask("POST", "/api/session", { key: null, json: { key } });
      const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
      expect((await server.ask("GET", "/api/document", { key: null, headers: { cookie } })).status).toBe(200);
      expect((await server.ask("GET", "/api/document", { key })).status).toBe(200);
      expect((await server.ask("GET", "/api/document", { key: null, headers: { cookie } })).status).toBe(429);
    });
  });
});

describe("values of single keys", () => {
  test("go over the setting in both directions, are shown, survive a restart, and leave with the key", async () => {
    await withServer({ key: { requestsPerMinute: 2 } }, async (server) => {
      const more = await server.ask("POST", "/api/key", { json: { name: "more", requestsPerMinute: 5 } });
      expect(more.body).toMatchObject({ requestsPerMinute: 5, tokensPerDay: null, maxDocuments: null, maxBytes: null });
      const form = new URLSearchParams({ name: "fewer", requestsPerMinute: "1" });
      const fewer = await server.ask("POST", "/api/key", { body: form });
      expect(fewer.body.requestsPerMinute).toBe(1);
      const passed = async (key: string): Promise<number> => {
        for (let count = 0; ; count++)
          if ((await server.ask("GET", "/api/document", { key })).status === 429) return count;
      };
      expect(await passed(more.body.key)).toBe(5);
      expect(await passed(fewer.body.key)).toBe(1);
    });
  });

  test("are refused where they make no sense", async () => {
    await withServer({}, async (server) => {
      for (const requestsPerMinute of [0, -1, 1.5, "many"]) {
        const { status, body } = await server.ask("POST", "/api/key", { json: { name: "x", requestsPerMinute } });
        expect([status, body.errors?.[0]?.path]).toEqual([400, "requestsPerMinute"]);
      }
    });
  });

  test("a limited admin key issues none that may use more", async () => {
    await withServer({}, async (server) => {
      const admin = await server.ask("POST", "/api/key", {
        json: { name: "admin", role: "admin", requestsPerMinute: 50, maxDocuments: 7 },
      });
      const issue = async (json: object) =>
        (await server.ask("POST", "/api/key", { key: admin.body.key, json: { name: "x", ...json } })).body;
      expect(await issue({})).toMatchObject({ requestsPerMinute: 50, maxDocuments: 7, maxBytes: null });
      expect(await issue({ requestsPerMinute: 500, maxDocuments: 3, maxBytes: 10 })).toMatchObject({
        requestsPerMinute: 50,
        maxDocuments: 3,
        maxBytes: 10,
      });
    });
  });
});

/** Says how many tokens it took, or nothing. */
const countingModel = (tokens: { prompt: number | null; output: number | null }): ChatModel => ({
  provider: "test",
  model: "counting",
  contextTokens: async () => 8_192,
  estimateTokens: (text) => Math.ceil(text.length / 4),
  async *chat() {
    yield { type: "delta", text: "Herons nest in March. [1]" };
    yield {
      type: "done",
      finishReason: "stop",
      promptTokens: tokens.prompt,
      outputTokens: tokens.output,
      model: "counting",
    };
  },
});

describe("tokens a day", () => {
  const document = { name: "Herons", text: "Herons nest in March, high up in the old alders by the weir." };
  const question = { query: "When do herons nest?" };

  test("what the model read and wrote counts; then questions wait for the next day, and searches go on", async () => {
    const limits = { key: { tokensPerDay: 250 } };
    await withServer(
      limits,
      async (server) => {
        await server.post("/api/ingest", document);
        const key = await server.issueKey({ role: "reader" });
        const ask = () => server.ask("POST", "/api/query", { key, json: question });
        const first = await ask();
        expect(first.body.answer).toBe("Herons nest in March. [1]");
        expect(first.headers.get("ratelimit-policy")).toBe('"key-tokens";q=250;w=86400;qu="tokens"');
        expect((await ask()).headers.get("ratelimit")).toMatch(/^"key-tokens";r=130;t=\d+$/);
        // The third began below the limit, and is finished.
        expect((await ask()).status).toBe(200);
        const refused = await ask();
        expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
        expect(refused.body.detail).toContain("250 tokens of the answering model a day");
        expect(Number(refused.headers.get("retry-after"))).toBeWithin(80_000, 86_401);
        const streamed = await server.ask("POST", "/api/query", { key, json: { ...question, stream: true } });
        expect(streamed.status).toBe(429);
        expect((await server.ask("POST", "/api/search", { key, json: question })).status).toBe(200);
        expect((await server.ask("POST", "/api/query", { key, json: { ...question, answer: false } })).status).toBe(
          200,
        );
        setSystemTime(new Date(Date.now() + 86_401_000));
        expect((await ask()).status).toBe(200);
      },
      countingModel({ prompt: 100, output: 20 }),
    );
  });

  test("a server that does not count is estimated", async () => {
    await withServer(
      { organization: { tokensPerDay: 1 } },
      async (server) => {
        await server.post("/api/ingest", document);
        const key = await server.issueKey({ role: "reader" });
        expect((await server.ask("POST", "/api/query", { key, json: question })).status).toBe(200);
        expect((await server.ask("POST", "/api/query", { key, json: question })).status).toBe(429);
      },
      countingModel({ prompt: null, output: null }),
    );
  });

  test("visitors of a public chat spend the organization's", async () => {
    await withServer(
      { organization: { tokensPerDay: 100 } },
      async (server) => {
        await server.post("/api/ingest", document);
        const chat = await server.ask("POST", "/api/chat", { json: { title: "Birds", public: true } });
        const say = () =>
          server.ask("POST", `/api/chat/${chat.body.id}/public`, { key: null, json: { message: question.query } });
        expect((await say()).status).toBe(200);
        const refused = await say();
        expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
      },
      countingModel({ prompt: 100, output: 20 }),
    );
  });
});
