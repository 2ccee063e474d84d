import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { expectOk, expectProblem, nobody, shownProblem } from "./expectations.ts";
import { serveCarrel } from "./serve-carrel.ts";

/** Section 2 of the contract: what an error looks like, and which status says what. */

const carrel = await serveCarrel({
  config: (config) => {
    config.server.maxBodyBytes = 300_000;
  },
});
const call = carrel.call;
const document = expectOk(await call("POST", "/api/ingest", { json: { name: "D", text: "words", partition: "P" } }));

describe("the problem document", () => {
  test("has type, title, status, detail, instance, code, requestId and errors where a field is at fault", async () => {
    const answer = await call("POST", "/api/query?x=1", { json: { query: 5 } });
    expectProblem(answer, 400, "invalid_request");
    expect(shownProblem(answer)).toMatchInlineSnapshot(`
      {
        "code": "invalid_request",
        "detail": "query must be a string of at most 8000 characters.",
        "errors": [
          {
            "message": "must be a string of at most 8000 characters",
            "path": "query",
          },
        ],
        "instance": "/api/query",
        "requestId": "<request id>",
        "status": 400,
        "title": "A field is missing or wrong",
        "type": "/docs/errors#invalid_request",
      }
    `);
  });

  test("has no errors where no field is at fault", async () => {
    const answer = await call("GET", `/api/document/${nobody}`);
    expectProblem(answer, 404, "document_not_found");
    expect(shownProblem(answer)).toMatchInlineSnapshot(`
      {
        "code": "document_not_found",
        "detail": "There is no document with this id that your key can see.",
        "instance": "/api/document/0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23",
        "requestId": "<request id>",
        "status": 404,
        "title": "No such document",
        "type": "/docs/errors#document_not_found",
      }
    `);
  });

  test("errors names every field at fault", async () => {
    const { errors } = expectProblem(
      await call("POST", "/api/ingest", { json: { name: 1, text: 2, metadata: [], async: "no" } }),
      400,
      "invalid_request",
    );
    expect(errors.map(({ path }: { path: string }) => path).sort()).toEqual(["async", "metadata", "name", "text"]);
  });

  test("errors names the field that holds an unknown id, an address refused, a source too many or a name taken", async () => {
    const taken = expectOk(await call("POST", "/api/partition", { json: { name: "Taken" } }));
    const limited = await carrel.key({ role: "writer", partitionId: document.partitionId });
    const [source, chat] = [{ name: "N", text: "t" }, `/api/chat/${expectOk(await call("POST", "/api/chat", {})).id}`];
    const address = "http://127.0.0.1:1/";
    for (const [method, path, json, fields, key] of [
      ["POST", "/api/query", { query: "q", documentId: nobody }, ["documentId"]],
      ["POST", "/api/query", { query: "q", documentId: "odd" }, ["documentId"]],
      ["POST", "/api/search", { query: "q", partitionId: nobody }, ["partitionId"]],
      ["POST", "/api/chat", { documentId: nobody }, ["documentId"]],
      ["PUT", chat, { partitionId: nobody }, ["partitionId"]],
      ["PUT", chat, { partitionId: "odd" }, ["partitionId"]],
      ["POST", "/api/ingest", { ...source, partitionId: nobody }, ["partitionId"]],
      ["POST", "/api/ingest", { ...source, partitionId: "odd" }, ["partitionId"]],
      ["POST", "/api/ingest", { ...source, partition: "Taken" }, ["partition"], limited],
      ["PUT", `/document/${document.id}`, { partitionId: nobody }, ["partitionId"]],
      ["GET", `/api/document?partitionId=${nobody}`, undefined, ["partitionId"]],
      ["POST", "/api/key", { name: "K", partitionId: nobody }, ["partitionId"]],
      ["POST", "/api/ingest", { ...source, websiteUrl: "https://a.example" }, ["text", "websiteUrl"]],
      ["POST", "/api/ingest", { url: address }, ["url"]],
      ["POST", "/api/ingest", { websiteUrl: address }, ["websiteUrl"]],
      ["POST", "/api/scanPageContent", { url: address }, ["url"]],
      ["POST", "/api/scanSitemap", { rootDomain: address }, ["rootDomain"]],
      ["PUT", `/api/partition/${document.partitionId}`, { name: "Taken" }, ["name"]],
    ] as [string, string, object | undefined, string[], string?][]) {
      const answer = await call(method, path, { ...(json && { json }), ...(key && { key }) });
      const paths = answer.body.errors?.map((fault: { path: string }) => fault.path);
      expect(paths, `${method} ${path} ${JSON.stringify(json)}: ${answer.text}`).toEqual(fields);
    }
    const own = await carrel.key({ role: "writer", partitionId: taken.id });
    expectOk(await call("DELETE", `/api/partition/${taken.id}`));
    // Nobody sent the partition of a key whose partition is gone.
    for (const [path, json] of [
      ["/api/ingest", source],
      ["/api/chat", {}],
    ] as const) {
      const { errors } = expectProblem(await call("POST", path, { key: own, json }), 404, "partition_not_found");
      expect(errors).toBeUndefined();
    }
  });

  test("type is a page of this server that explains the code", async () => {
    const { type } = expectProblem(await call("GET", "/api/nothing"), 404, "route_not_found");
    const page = await call("GET", type, { key: null });
    expect(page.status).toBe(200);
    expect(page.text).toContain('id="route_not_found"');
  });

  test("requestId is the header X-Request-Id, the caller's own where it sent one that is safe to repeat", async () => {
    const own = await call("GET", "/api/nothing", { headers: { "x-request-id": "my-request.1" } });
    expect(expectProblem(own, 404, "route_not_found").requestId).toBe("my-request.1");
    const odd = await call("GET", "/api/nothing", { headers: { "x-request-id": '<script>"' } });
    expect(expectProblem(odd, 404, "route_not_found").requestId).not.toContain("script");
    expect((await call("GET", "/api/document")).headers.get("x-request-id")).not.toBeNull();
  });

  test("never repeats what was sent: no key, no text", async () => {
    for (const answer of [
      await call("GET", "/api/document", { key: "crl_secretsecretsecret" }),
      await call("POST", "/api/query", { json: { query: ["do not tell"], prompt: { a: "do not tell" } } }),
      await call("POST", "/api/query", {
        body: '{"query": "do not tell',
        headers: { "content-type": "application/json" },
      }),
    ])
      expect(answer.text).not.toMatch(/do not tell|secretsecret/);
  });
});

describe("status and code", () => {
  test("403: a known key whose role does not allow it; 404 for the file of a text; 409 for a partition that holds documents", async () => {
    const key = await carrel.key({ role: "reader" });
    expectProblem(await call("DELETE", `/document/${document.id}`, { key }), 403, "role_forbidden");
    expectProblem(await call("GET", `/api/document/${document.id}/file`), 404, "file_not_found");
    expectProblem(await call("DELETE", `/api/partition/${document.partitionId}`), 409, "partition_not_empty");
    expectProblem(await call("POST", `/api/document/${document.id}/cancel`), 409, "document_busy");
  });

  test("405 carries Allow on every path", async () => {
    const { paths } = expectOk(await call("GET", "/openapi.full.json")) as { paths: Record<string, object> };
    for (const [path, methods] of Object.entries(paths).filter(([each]) => !each.startsWith("/v1/"))) {
      const there = Object.keys(methods).map((method) => method.toUpperCase());
      const [absent] = ["PATCH", "PUT", "DELETE"].filter((method) => !there.includes(method));
      const answer = await call(absent ?? "", path.replace(/\{\w+\}/g, nobody), { key: null });
      expectProblem(answer, 405, "method_not_allowed");
      const allow = answer.headers.get("allow")?.split(", ");
      expect(allow, path).toContainValues([...there, "OPTIONS"]);
      // Pages for people are no operations: a path may have GET for its page alone.
      expect(allow?.includes("HEAD"), path).toBe(allow?.includes("GET") ?? false);
      if (there.includes("GET")) expect(allow, path).toContain("HEAD");
    }
  });

  test("a body that is cut off changes nothing", async () => {
    const before = await carrel.everything();
    const head = `POST /api/ingest HTTP/1.1\r\nHost: carrel\r\nAuthorization: Bearer ${carrel.admin}\r\nContent-Type: application/json\r\n`;
    await rawRequest(`${head}Content-Length: 500\r\n\r\n{"name": "Cut", "text": "cut`, 50);
    await rawRequest(`${head}Transfer-Encoding: chunked\r\n\r\n20\r\n{"name": "Cut", "text": "cut off"`, 50);
    await Bun.sleep(50);
    expect(await carrel.everything()).toBe(before);
  });
});

/** Sends bytes as they are. @param closeAfterMs end of the sending side, where the server waits for more */
const rawRequest = (bytes: string, closeAfterMs?: number): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(carrel.url);
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes);
      if (closeAfterMs !== undefined) setTimeout(() => socket.destroy(), closeAfterMs);
    });
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => resolve(received));
    socket.on("close", () => resolve(received));
  });
