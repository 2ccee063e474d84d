import { expect, test } from "bun:test";
import type { Finding } from "../../src/health/checkup.ts";
import { run } from "../commands/run.ts";
import { startTestServer } from "../start-server.ts";

const server = await startTestServer(
  {},
  {
    configure({ models }) {
      // The discard port: nobody listens there.
      Object.assign(models.answer, { provider: "openai", model: "gull-1", baseUrl: "http://127.0.0.1:9/v1" });
    },
  },
);

const statusesOf = (findings: readonly Finding[]): string[] =>
  findings.map(({ check, status }) => `${check} ${status}`);

test("the server finds about itself what the command finds beside it, each with its fix", async () => {
  const { status, body } = await server.ask("GET", "/api/doctor");
  expect(status).toBe(200);
  const findings: Finding[] = body.findings;
  const command = await run(["doctor", "--json"], {
    env: {
      CARREL_DATA_DIR: server.dataDir,
      CARREL_SERVER_PORT: String(server.port),
      CARREL_MODELS_ANSWER_PROVIDER: "openai",
      CARREL_MODELS_ANSWER_MODEL: "gull-1",
      CARREL_MODELS_ANSWER_BASE_URL: "http://127.0.0.1:9/v1",
      CARREL_MODELS_EMBEDDING_MODEL: "static",
    },
    cwd: server.dataDir,
  });
  expect(statusesOf(findings)).toEqual(statusesOf(JSON.parse(command.out)));
  for (const { status: found, fix } of findings) expect(fix === null).toBe(found === "ok");
  const of = (check: string) => findings.filter((each) => each.check === check);
  expect(of("backup")).toEqual([
    { check: "backup", status: "warning", detail: "There is no backup.", fix: expect.stringContaining("backup.path") },
  ]);
  expect(of("models")).toContainEqual({
    check: "models",
    status: "failed",
    detail: expect.stringContaining("models.answer"),
    fix: expect.any(String),
  });
  expect(of("parser")[0]?.status).toBe("ok");
  expect(of("store")).toMatchObject([{ status: "ok", detail: expect.stringContaining("is ready") }]);
});

test("asked again at once, it gives the same report", async () => {
  const reports = await Promise.all(["a", "b"].map(() => server.ask("GET", "/api/doctor")));
  expect(reports[0]?.body).toEqual(reports[1]?.body);
  expect(reports[0]?.body.checkedAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});
