import { expect, test } from "bun:test";
import type { Frame } from "../../src/http/frame.ts";
import { createLineBudget } from "../../src/http/handler.ts";
import { createLogger } from "../../src/log/log.ts";
import { eventually } from "../until.ts";
import { startApp } from "./start-app.ts";

const linesOf = (written: string[]) => {
  const log = createLogger({ level: "info", format: "json" }, (line) => void written.push(line));
  return { log, requests: () => written.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request") };
};

test("a stranger fills no log: lines are short and bounded, and those of others go on", async () => {
  const written: string[] = [];
  const { log, requests } = linesOf(written);
  const app = await startApp({
    log,
    configure(config) {
      config.server.trustedProxies = ["127.0.0.0/8"];
    },
  });
  const path = `/${"x".repeat(14_000)}`;
  const from = (address: string) => ({ key: null, headers: { "x-forwarded-for": address } });
  for (let sent = 0; sent < 700; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => app.call("GET", path, from("192.0.2.1"))));
  expect(requests()).toHaveLength(600);
  expect(written.join("").length).toBeLessThan(600 * 2_000);
  await app.call("GET", "/api/other", from("192.0.2.2"));
  await app.call("GET", "/api/partition");
  expect(requests().slice(600)).toMatchObject([{ path: "/api/other" }, { path: "/api/partition" }]);
});

test("the log says how many lines were left out, and goes on with the next period", async () => {
  const written: string[] = [];
  const { log } = linesOf(written);
  const isLogged = createLineBudget(log, 50);
  const frames = Array.from({ length: 605 }, () => ({ clientAddress: "192.0.2.1" }) as Frame);
  expect(frames.filter(isLogged)).toHaveLength(600);
  expect(frames.filter(isLogged)).toHaveLength(600);
  await eventually(() => expect(JSON.parse(written[0] ?? "")).toMatchObject({ level: "warn", requests: 5 }));
  expect(isLogged({ clientAddress: "192.0.2.1" } as Frame)).toBe(true);
});
