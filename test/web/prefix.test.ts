import { expect, test } from "bun:test";
import { ownPaths } from "../../config/checks.ts";
import { pathsOf } from "../../src/http/path-lookup.ts";
import { declaredEndpoints } from "../../src/program/app.ts";
import { consolePaths } from "../../src/web/pages.ts";
import { atEnd } from "../at-end.ts";
import { freePort } from "../free-port.ts";
import { describeInBrowser } from "./describe-in-browser.ts";
import { walkUnderPrefix } from "./journeys/walk-under-prefix.ts";
import { openConsole } from "./open-console.ts";
import { startPageServer } from "./start-page-server.ts";

const prefix = "/team/carrel";

test("no path of Carrel's own can be a prefix: a proxy that takes it off would hide that path", () => {
  const paths = [...declaredEndpoints().flatMap(pathsOf), ...consolePaths].map((path) => path.split("/")[1] ?? "");
  expect(ownPaths).toEqual(expect.arrayContaining([...new Set(paths)].filter((path) => path !== "")));
});

let embedCode = "";
let keepsPrefix = false;

await describeInBrowser("a server under a prefix", async (browser) => {
  const site = Bun.serve({
    port: 0,
    hostname: "localhost",
    fetch: () =>
      new Response(`<!doctype html><title>Shop</title><p>Shop</p>${embedCode}`, {
        headers: { "content-type": "text/html" },
      }),
  });
  atEnd(() => site.stop(true));
  const port = await freePort();
  const server = await startPageServer({
    server: { baseUrl: `http://127.0.0.1:${port}${prefix}` },
    publicChats: { allowedOrigins: [site.url.origin] },
  });
  // As `location /team/carrel/ { proxy_pass … }` with a slash after the upstream's name or without.
  const proxy = Bun.serve({
    port,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith(`${prefix}/`)) return new Response("another application", { status: 404 });
      const path = keepsPrefix ? pathname : pathname.slice(prefix.length);
      return fetch(server.url + path + search, {
        method: request.method,
        headers: request.headers,
        body: request.body,
        decompress: false,
        redirect: "manual",
      });
    },
  });
  atEnd(() => proxy.stop(true));
  return () => {
    test.each([
      ["takes it off", false],
      ["passes it on", true],
    ])("behind a proxy that %s, everything works and leads there", async (_, keeps) => {
      keepsPrefix = keeps;
      await walkUnderPrefix(browser, {
        server: { url: `http://127.0.0.1:${proxy.port}${prefix}`, key: server.key },
        siteWith(code) {
          embedCode = code;
          return site.url.href;
        },
      });
    });

    test("a console that is opened beside the proxy goes on under the prefix", async () => {
      const visit = await openConsole(browser, server, { path: "/documents?sort=name" });
      await visit.page.getByRole("button", { name: "Add documents" }).first().waitFor();
      expect(visit.page.url()).toBe(`${server.url}${prefix}/documents?sort=name`);
    });
  };
});
