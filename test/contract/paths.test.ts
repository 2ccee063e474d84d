import { beforeAll, describe, expect, test } from "bun:test";
import { expectOk, expectProblem, nobody } from "./expectations.ts";
import { type Answer, serveCarrel } from "./serve-carrel.ts";

/** Section 8 of the contract: paths, what is open, CORS, HEAD, and the page that describes it all. */

const carrel = await serveCarrel({
  config: (config) => {
    config.server.allowedOrigins = ["https://intranet.example"];
  },
});
const call = carrel.call;
const { id } = expectOk(await call("POST", "/api/ingest", { json: { name: "D", text: "A lantern." } }));
const chatId = expectOk(await call("POST", "/api/chat", {})).id;

describe("a trailing slash does not matter", () => {
  test.each<[string, string, object?]>([
    ["GET", "/api/document"],
    ["GET", "/api/document/:id"],
    ["GET", "/document/:id"],
    ["PUT", "/document/:id", {}],
    ["PUT", "/api/document/:id", {}],
    ["GET", "/api/document/:id/text"],
    ["POST", "/api/ingest", { name: "S", text: "slash" }],
    ["POST", "/api/query", { query: "lantern" }],
    ["POST", "/api/search", { query: "lantern" }],
    ["GET", "/api/chat"],
    ["POST", "/api/chat", {}],
    ["GET", "/api/chat/:chat"],
    ["PUT", "/api/chat/:chat", {}],
    ["POST", "/api/chat/:chat", {}],
    ["POST", "/api/chat/:chat/message", { message: "lantern" }],
    ["POST", "/api/chat/:chat/private", { message: "lantern" }],
    ["POST", "/api/chat/:chat/public", { message: "lantern" }],
    ["GET", "/api/partition"],
    ["POST", "/api/partition", { name: "P" }],
    ["GET", "/api/partition/search?searchValue=p"],
    ["GET", "/api/key"],
    ["GET", "/health/live"],
    ["GET", "/health/ready"],
    ["GET", "/metrics"],
    ["GET", "/openapi.json"],
    ["GET", "/docs"],
    ["GET", "/docs/errors"],
  ])("%s %s", async (method, path, ...rest) => {
    const [json] = rest.filter((one) => typeof one === "object");
    const [plain = "", query] = path.replace(":id", id).replace(":chat", chatId).split("?");
    for (const form of [plain, `${plain}/`]) {
      const answer = await call(
        method,
        query === undefined ? form : `${form}?${query}`,
        json === undefined ? {} : { json },
      );
      expect(answer.status, `${method} ${form}: ${answer.text.slice(0, 200)}`).toBe(200);
    }
  });

  test("nor on the deletes", async () => {
    for (const path of ["/document/", "/api/document/"]) {
      const made = expectOk(await call("POST", "/api/ingest", { json: { name: "S", text: "slash" } }));
      expectOk(await call("DELETE", `${path}${made.id}/`));
    }
    for (const path of ["/chat/", "/api/chat/"])
      expectOk(await call("DELETE", `${path}${expectOk(await call("POST", "/api/chat", {})).id}/`));
  });
});

describe("what is open", () => {
  test.each(["/health/live", "/health/ready", "/openapi.json", "/docs", "/"])(
    "%s answers without a key, and with a wrong one",
    async (path) => {
      expect((await call("GET", path, { key: null })).status).toBe(200);
      expect((await call("GET", path, { key: "crl_wrong" })).status).toBe(200);
    },
  );

  test("/metrics is Prometheus text, for an admin key alone", async () => {
    expectProblem(await call("GET", "/metrics", { key: null }), 401, "key_missing");
    expectProblem(await call("GET", "/metrics", { key: await carrel.key({ role: "writer" }) }), 403, "role_forbidden");
    const { headers, text } = await call("GET", "/metrics");
    expect(headers.get("content-type")).toStartWith("text/plain");
    expect(text).toMatch(/^carrel_\w+(\{[^}]*\})? [\d.e+-]+$/m);
    expect(text).not.toMatch(/crl_[0-9A-Za-z]{43}/);
  });

  test("/ is a page that says what this is and links to /docs", async () => {
    const { headers, text } = await call("GET", "/", { key: null });
    expect(headers.get("content-type")).toStartWith("text/html");
    expect(text).toContain("Carrel");
    expect(text).toContain('href="/docs"');
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("there is nothing elsewhere", async () => {
    for (const path of [
      "/api",
      "/api/nothing",
      "/document",
      "/chat",
      "/ingest",
      "/query",
      "/API/document",
      "/api//document",
      "/favicon.ico",
      "/.env",
    ])
      expectProblem(await call("GET", path), 404, "route_not_found");
  });
});

describe("HEAD answers as GET, without a body", () => {
  test.each([
    "/api/document",
    "/api/document/:id",
    "/api/document/:id/text",
    "/api/chat",
    "/api/chat/:chat",
    "/api/partition",
    "/api/key",
    "/",
    "/docs",
    "/openapi.json",
    "/health/ready",
    "/api/document/:id/events",
    `/api/document/${nobody}`,
  ])("%s", async (path) => {
    const whole = path.replace(":id", id).replace(":chat", chatId);
    const [head, get] = [await call("HEAD", whole), await call("GET", whole)];
    expect([head.status, head.text]).toEqual([get.status, ""]);
    for (const name of ["content-type", "x-total-count"]) expect(head.headers.get(name)).toBe(get.headers.get(name));
  });
});

describe("CORS is off but for origins named in the config", () => {
  const allow = ({ headers }: Answer) => headers.get("access-control-allow-origin");

  test("other origins get no header, in no answer", async () => {
    for (const origin of [
      "https://evil.example",
      "null",
      "https://intranet.example.evil.example",
      "http://intranet.example",
    ]) {
      expect(allow(await call("GET", "/api/document", { headers: { origin } }))).toBeNull();
      const preflight = { origin, "access-control-request-method": "POST" };
      expect(allow(await call("OPTIONS", "/api/query", { key: null, headers: preflight }))).toBeNull();
    }
    expect(allow(await call("GET", "/api/document"))).toBeNull();
  });

  test("the named one may read answers, problems and X-Total-Count, and ask before", async () => {
    const origin = "https://intranet.example";
    const list = await call("GET", "/api/document", { headers: { origin } });
    expect(allow(list)).toBe(origin);
    expect(list.headers.get("vary")).toContain("Origin");
    expect(list.headers.get("access-control-expose-headers")).toContain("X-Total-Count");
    expect(allow(await call("GET", `/api/document/${nobody}`, { headers: { origin } }))).toBe(origin);
    expect(allow(await call("GET", "/api/document", { key: null, headers: { origin } }))).toBe(origin);
    const preflight = await call("OPTIONS", `/api/document/${id}`, {
      key: null,
      headers: {
        origin,
        "access-control-request-method": "PUT",
        "access-control-request-headers": "authorization, content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(allow(preflight)).toBe(origin);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("authorization");
  });
});

describe("/openapi.full.json and /docs", () => {
  let openapi: { paths: Record<string, Record<string, { responses: Record<string, unknown>; security?: object[] }>> };

  beforeAll(async () => {
    openapi = expectOk(await call("GET", "/openapi.full.json", { key: null }));
  });

  test("every operation it describes is there", async () => {
    for (const [path, methods] of Object.entries(openapi.paths)) {
      for (const method of Object.keys(methods)) {
        const answer = await call(method.toUpperCase(), path.replace(/\{\w+\}/g, nobody), { key: null });
        expect(answer.body?.code, `${method} ${path}`).not.toBe("route_not_found");
        expect(answer.status, `${method} ${path}`).not.toBe(405);
        expect(Object.keys(methods[method]?.responses ?? {}), `${method} ${path}`).toContain(String(answer.status));
      }
    }
  });

  test("/docs loads nothing from elsewhere", async () => {
    const page = await call("GET", "/docs", { key: null });
    expect(page.headers.get("content-type")).toStartWith("text/html");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const loaded = [...page.text.matchAll(/<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"/g)]
      .map(([, address = ""]) => address)
      .filter((address) => !address.startsWith("data:"));
    expect(loaded.length).toBeGreaterThan(0);
    for (const address of loaded) {
      expect(address).toStartWith("/");
      expect((await call("GET", address, { key: null })).status).toBe(200);
    }
  });
});
