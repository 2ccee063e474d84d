import { expect, test } from "bun:test";
import { sampleDocument } from "../../tools/samples/records.ts";
import { startApp } from "../http/start-app.ts";

const app = await startApp();

test("metrics count requests by route, and documents by status", async () => {
  const { organizationId } = app;
  await app.store.documents.add(sampleDocument({ organizationId, status: "pending" }), "text");
  await app.store.documents.add(sampleDocument({ organizationId, status: "failed", error: "x" }), "text");
  for (let id = 0; id < 5; id += 1) await app.call("GET", `/api/partition/${id}`);
  await app.call("GET", "/nothing/here");
  const response = await app.call("GET", "/metrics");
  expect(response.headers.get("content-type")).toStartWith("text/plain");
  const lines = (await response.text()).split("\n");
  expect(lines).toContain('carrel_http_requests_total{method="GET",route="/api/partition/:id",status="404"} 5');
  expect(lines).toContain('carrel_http_requests_total{method="GET",route="none",status="404"} 1');
  expect(lines).toContain('carrel_documents{status="pending"} 1');
  expect(lines).toContain('carrel_documents{status="failed"} 1');
  expect(lines).toContain("carrel_ingest_queue_documents 1");
  expect(lines.some((line) => line.startsWith("carrel_process_resident_memory_bytes"))).toBe(true);
});
