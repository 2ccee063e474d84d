import { expect, test } from "bun:test";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { ProviderError } from "../../providers/contract.ts";
import { readinessOf } from "../../src/health/routes.ts";
import { createModelStates } from "../../src/models/observed-models.ts";
import type { Store } from "../../src/store/contract.ts";
import { startTestServer } from "../start-server.ts";
import { noDamage } from "../store/open-temporary-store.ts";

const server = await startTestServer({
  models: {
    answer: {
      ...(await import("../../config/load.ts")).defaultConfig().models.answer,
      provider: "ollama",
      model: "m",
    },
  },
});

const storeThat = (whyReadOnly: Store["condition"]["whyReadOnly"]) =>
  ({ condition: { whyReadOnly }, damage: noDamage }) as unknown as Pick<Store, "condition" | "damage">;

test("a server whose store cannot be written to is not ready, and says why", async () => {
  const full = await readinessOf(
    "ready",
    storeThat(async () => "disk_full"),
    undefined,
  );
  expect(full).toEqual({ status: "unready", problems: ["disk_full"], models: [] });
  const broken = storeThat(() => Promise.reject(new Error("gone")));
  expect((await readinessOf("ready", broken, undefined)).problems).toEqual(["store_failed"]);
  expect((await readinessOf("draining", broken, undefined)).status).toBe("draining");
});

test("tables that went away make a running server unready, until they are back", async () => {
  const tables = join(server.dataDir, "tables");
  const ready = () => fetch(`${server.url}/health/ready`);
  expect((await ready()).status).toBe(200);
  await rename(tables, `${tables}-away`);
  try {
    const response = await ready();
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ status: "unready", problems: ["not_writable"] });
  } finally {
    await rename(`${tables}-away`, tables);
  }
  expect((await ready()).status).toBe(200);
});

test("a model that is away is told, and the server stays ready", async () => {
  const { modelStates } = server.program.deps;
  const told = async () => {
    const response = await fetch(`${server.url}/health/ready`);
    return [response.status, ((await response.json()) as { models: unknown }).models];
  };
  modelStates.note("answer", new ProviderError("answer", "unreachable", "away"));
  expect(await told()).toEqual([200, [{ use: "answer", state: "failing" }]]);
  modelStates.note("answer");
  expect(await told()).toEqual([200, [{ use: "answer", state: "ok" }]]);
});

test("a caller who leaves or asks for too much says nothing of the model", () => {
  const states = createModelStates(["answer"]);
  states.note("answer", new ProviderError("answer", "aborted", "left"));
  states.note("answer", new ProviderError("answer", "too_long", "too long"));
  states.note("embedding", new ProviderError("embedding", "timeout", "not configured"));
  expect(states.list()).toEqual([{ use: "answer", state: "unknown" }]);
  states.noteCheck("answer", false);
  states.noteCheck("answer", true);
  expect(states.list()).toEqual([{ use: "answer", state: "failing" }]);
});
