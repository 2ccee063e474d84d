import { expect } from "bun:test";
import type { Browser } from "playwright-core";
import { callServer } from "../../call-server.ts";
import { eventually } from "../../until.ts";
import { openWidget } from "../answers/open-widget.ts";
import { fixturePath } from "../give-files.ts";
import { openVisitor } from "../open-browser.ts";
import { type OpenedServer, openConsole } from "../open-console.ts";

const paper = "multi-column-2p.pdf";

interface Walk {
  /** Its `url` ends with the prefix. */
  server: OpenedServer;
  /** A page of another site that holds this script. */
  siteWith(embedCode: string): string;
  /** Called with each page that is worth a look. */
  onPage?(name: string, page: { screenshot(options: { path: string }): Promise<unknown> }): Promise<unknown>;
}

/**
 * Uses a server that is reached under a prefix as people and programs do: console, documents, questions, a public chat, the
 * widget, the reference. Nothing but the server under its prefix may be asked for.
 */
export const walkUnderPrefix = async (browser: Browser, { server, siteWith, onPage }: Walk): Promise<void> => {
  const { origin, pathname: prefix } = new URL(server.url);
  const ask = async (method: string, path: string, options = {}) =>
    (await callServer(server.url, method, path, options)).body;
  const strayed: string[] = [];
  const visit = await openConsole(browser, server, { path: "/" });
  const { page, context } = visit;
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin === origin && !url.pathname.startsWith(`${prefix}/`)) strayed.push(url.pathname);
  });
  const isAt = (path: string) => eventually(async () => expect(new URL(page.url()).pathname).toBe(prefix + path));

  const [session] = await context.cookies(server.url);
  expect(session).toMatchObject({ name: "carrel_session", path: prefix, httpOnly: true, sameSite: "Strict" });

  // A file is sent from the page, read by its worker, and linked to.
  await page.getByRole("button", { name: "Add documents" }).first().waitFor();
  await page.locator("input[type=file]").first().setInputFiles(fixturePath(paper));
  await page.locator("tbody .state-word.good").waitFor();
  await onPage?.("console-documents", page);
  await page.getByRole("link", { name: paper }).first().click();
  await page.waitForURL(`**${prefix}/documents/*`);
  await page.locator(".pdf-page .text-layer span").first().waitFor();
  const documentPath = new URL(page.url()).pathname;
  expect(documentPath).toStartWith(`${prefix}/documents/`);
  await page.reload();
  await page.locator(".pdf-page .text-layer span").first().waitFor();
  await onPage?.("console-document", page);
  const record = await ask("GET", documentPath.slice(prefix.length).replace("documents", "api/document"), {
    key: server.key,
  });
  expect(record.parsedUrl).toBe(`${server.url}/api/document/${record.id}/text`);
  expect(record.originalUrl).toBe(`${server.url}/api/document/${record.id}/file`);

  await page.locator(".rail").getByRole("link", { name: "Ask" }).click();
  await isAt("/ask");
  // The view before, which has a field for questions too, stays until this one is loaded.
  await page.getByRole("textbox", { name: "Your question" }).fill("What is the approach of the paper?");
  await page.keyboard.press("Enter");
  await page.locator(".source-card, .sources li").first().waitFor();
  await onPage?.("console-ask", page);
  await page.goBack();
  await page.goto(`${server.url}/settings?tab=audit`);
  await page.locator("table").first().waitFor();
  await page.locator(".rail").getByRole("link", { name: "Chats" }).click();
  await isAt("/chats");

  const chat = await ask("POST", "/api/chat", { key: server.key, json: { title: "Library", public: true } });
  await page.goto(`${server.url}/chats/${chat.id}`);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  const code = page.locator(".code-box pre");
  await code.waitFor();
  const embedCode = (await code.textContent()) ?? "";
  expect(embedCode).toContain(`src="${server.url}/embed.js"`);

  // Without a key: the public page, then the widget on another site.
  const site = siteWith(embedCode);
  const visitor = await openVisitor(browser, [server.url, site]);
  const talk = await visitor.newPage();
  await talk.goto(`${server.url}/chat/${chat.id}`);
  await talk.fill("#message", "What is the approach of the paper?");
  await talk.keyboard.press("Enter");
  await talk.locator(".answer .actions").waitFor();
  await onPage?.("public-chat", talk);
  await talk.goto(`${server.url}/docs/reference`);
  await talk.locator("main a[href]").first().waitFor();
  await onPage?.("docs", talk);
  await talk.locator(`nav a[href^="${prefix}/docs/guide/"]`).first().click();
  await eventually(async () => expect(new URL(talk.url()).pathname).toStartWith(`${prefix}/docs/guide/`));
  await talk.locator("main h1").waitFor();
  await talk.goto(site);
  const frame = await openWidget(talk);
  expect(frame.url()).toBe(`${server.url}/chat/${chat.id}`);
  await onPage?.("widget", talk);

  const unknown = await callServer(server.url, "GET", "/api/nothing");
  expect(unknown.body).toMatchObject({
    type: `${prefix}/docs/errors#route_not_found`,
    instance: `${prefix}/api/nothing`,
  });
  expect((await ask("GET", "/openapi.json")).servers).toEqual([{ url: prefix }]);
  expect(strayed).toEqual([]);
};
