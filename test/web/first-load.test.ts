import { afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { chromiumPath, whyNoBrowser } from "../../tools/screenshots/chromium.ts";
import { startTestServer } from "../start-server.ts";
import { endVisits, openBrowser, openVisitor } from "./open-browser.ts";

setDefaultTimeout(180_000);

const server = await startTestServer();

const hostile = `"'><script src=/x></script>&quot;`;

const signIn = async (key: string): Promise<string> => {
  const answer = await server.call("/api/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key }),
  });
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
};

/** A page as a browser asks for it; no key is sent. */
const open = async (path: string, headers: Record<string, string>) => {
  const answer = await fetch(server.url + path, { headers });
  const html = await answer.text();
  const read = (name: string): string | null => {
    let found: string | null = null;
    new HTMLRewriter()
      .on("#console", {
        element(element) {
          found = element.getAttribute(name);
        },
      })
      .transform(html);
    return found;
  };
  const told = read("data-session");
  const session = told === null ? undefined : JSON.parse(unescaped(told));
  const links = [...html.matchAll(/<link rel="(modulepreload|preload)"[^>]* href="([^"]+)"/g)];
  return {
    answer,
    html,
    session,
    parts: links.filter(([, rel]) => rel === "modulepreload").map(([, , path = ""]) => path),
    answers: links.filter(([, rel]) => rel === "preload").map(([, , path = ""]) => unescaped(path)),
  };
};

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

describe("the console's page tells who is signed in", () => {
  test("with what GET /api/session answers: no more, no key, and it is never stored", async () => {
    const key = await server.issueKey({ role: "reader", name: hostile });
    const cookie = await signIn(key);
    const { body } = await server.ask("GET", "/api/session", { key });
    for (const path of ["/", "/documents", "/keys"]) {
      const { answer, html, session } = await open(path, { cookie });
      expect(session).toEqual(body);
      expect(html).not.toContain("crl_");
      expect(html).not.toContain(hostile);
      expect(html).not.toContain("<script src=/x>");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("or that nobody is, where the cookie would have come", async () => {
    for (const site of ["none", "same-origin", "same-site"])
      expect((await open("/ask", { "sec-fetch-site": site })).session).toBeNull();
    expect((await open("/", { cookie: "carrel_session=unknown" })).session).toBeNull();
    const key = await server.issueKey({ role: "admin" });
    const cookie = await signIn(key);
    expect((await open("/", { cookie })).session?.role).toBe("admin");
    const { id } = (await server.ask("GET", "/api/session", { key })).body;
    await server.ask("DELETE", `/api/key/${id}`);
    expect((await open("/", { cookie })).session).toBeNull();
  });

  test("and nothing where it cannot know: then the script asks", async () => {
    expect((await open("/", { "sec-fetch-site": "cross-site" })).session).toBeUndefined();
    expect((await open("/", {})).session).toBeUndefined();
  });
});

describe("the console's page names what is loaded first", () => {
  test.each(["/ask", "/chats", "/documents/any", "/keys", "/partitions", "/settings"])(
    "%s: the view's script, and all that it imports",
    async (path) => {
      const { parts, answers } = await open(path, { cookie: await signIn(server.key) });
      expect(parts.length).toBeGreaterThan(0);
      expect(answers).toEqual([]);
      const { html } = await open(path, {});
      const named = new Set([...html.matchAll(/(?:src|href)="(\/pages\/[^"]+\.js)"/g)].map(([, found = ""]) => found));
      for (const part of named) {
        const answer = await fetch(server.url + part);
        expect(answer.status).toBe(200);
        for (const [, imported = ""] of (await answer.text()).matchAll(/(?:from|import)"(\/pages\/[^"]+)"/g))
          expect(named).toContain(imported);
      }
      // Six connections at most: the style, these, and one to spare for an answer.
      expect(named.size).toBeLessThanOrEqual(5);
    },
  );

  test("the list of documents, where it is shown whole and somebody is signed in", async () => {
    const cookie = await signIn(server.key);
    const list = ["/api/document?limit=100&skip=0"];
    expect((await open("/", { cookie })).answers).toEqual(list);
    expect((await open("/documents", { cookie })).answers).toEqual(list);
    expect((await open("/documents?search=a", { cookie })).answers).toEqual([]);
    const nobody = await open("/documents", { "sec-fetch-site": "none" });
    expect([nobody.answers, nobody.parts]).toEqual([[], []]);
  });
});

describe.skipIf(chromiumPath === null)(
  `the console in a browser${chromiumPath === null ? `: skipped, ${whyNoBrowser}` : ""}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterEach(endVisits);

    const visit = async (path: string, isSignedIn: boolean) => {
      const context = await openVisitor(browser, [server.url]);
      if (isSignedIn) await context.request.post(`${server.url}/api/session`, { data: { key: server.key } });
      const page = await context.newPage();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url().slice(server.url.length)));
      await page.goto(server.url + path);
      return { page, asked };
    };

    test("does not ask who is signed in, and takes the list that the page had fetched", async () => {
      await server.ask("POST", "/api/ingest", { json: { name: "Handbook", text: "The reading room." } });
      const { page, asked } = await visit("/documents", true);
      await page.getByRole("link", { name: "Handbook" }).waitFor();
      await page.locator(".rail").waitFor();
      expect(asked.filter((path) => path === "/api/session")).toEqual([]);
      expect(asked.filter((path) => path === "/api/document?limit=100&skip=0")).toHaveLength(1);
    });

    test("shows the form at once where nobody is signed in", async () => {
      const { page, asked } = await visit("/ask", false);
      await page.locator("input[name=key]").waitFor();
      expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
    });

    test("signs in with the key of a link, also over a session that goes on", async () => {
      const { page } = await visit("/documents", true);
      await page.locator(".rail").waitFor();
      const reader = await server.issueKey({ role: "reader", name: "For reading" });
      await page.goto("about:blank");
      await page.goto(`${server.url}/documents#key=${reader}`);
      await page.locator(".rail-key", { hasText: "For reading" }).waitFor();
      expect(page.url()).toBe(`${server.url}/documents`);
    });
  },
);
