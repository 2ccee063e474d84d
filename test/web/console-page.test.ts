import { expect, test } from "bun:test";
import { consolePaths } from "../../src/web/pages.ts";
import { startPageServer } from "./start-page-server.ts";

const server = await startPageServer();

test.each(["/", ...consolePaths])(
  "%s is the console, open to everybody, and loads from this server only",
  async (path) => {
    const answer = await fetch(server.url + path.replace(":id", "any"));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("text/html");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe-");
    const html = await answer.text();
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
    expect(loaded.filter((address) => address.startsWith("/pages/console"))).toHaveLength(2);
    for (const address of loaded.filter((each) => each.startsWith("/")))
      expect((await fetch(server.url + address)).status).toBe(200);
  },
);
