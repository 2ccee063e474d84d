import { expect, test } from "bun:test";
import { until } from "../until.ts";
import { signIn } from "./answers/sign-in.ts";
import { describeInBrowser } from "./describe-in-browser.ts";
import { openVisitor } from "./open-browser.ts";
import { startPageServer } from "./start-page-server.ts";

/** Looks as soon as an element is in the page, which is before it is painted. As text: the tests know no browser. */
const lookAt = (selector: string, look: string): string => `
  new MutationObserver((_, observer) => {
    const element = document.querySelector(${JSON.stringify(selector)});
    if (element === null) return;
    observer.disconnect();
    globalThis.seen = (${look})(element);
  }).observe(document, { childList: true, subtree: true });
`;
const hasFocus = "(element) => document.activeElement === element";
/** Whether the page takes an event for itself. */
const takes = (event: string): string => `() => !document.body.dispatchEvent(${event})`;
const key = (name: string): string =>
  takes(`new KeyboardEvent("keydown", { key: "${name}", bubbles: true, cancelable: true })`);
const drag = `() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["words"], "a.txt"));
  return (${takes('new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true })')})();
}`;

await describeInBrowser("what is seen can be used at once", async (browser) => {
  const server = await startPageServer();
  return () => {
    test.each([
      ["the field for the key has the focus", "/", null, "input[name=key]", hasFocus],
      ["the frame takes keys", "/", "signed in", ".rail", key("?")],
      ["files can be dropped", "/documents", "signed in", ".rail", drag],
      ["the field for a question has the focus", "/ask", "signed in", ".question-field", hasFocus],
      ["the field for a message has the focus", "/chats/CHAT", "signed in", ".composer textarea", hasFocus],
      ["the guides take the key of their search", "/docs", null, ".search input", key("/")],
    ])("%s", async (_name, path, session, selector, look) => {
      const context = await openVisitor(browser, [server.url]);
      if (session !== null) await signIn(context, server.url, server.key);
      const { body: chat } = await server.ask("POST", "/api/chat", { json: { name: "Desk" } });
      await context.addInitScript(lookAt(selector, look));
      const page = await context.newPage();
      await page.goto(server.url + path.replace("CHAT", chat.id));
      await until(async () => (await page.evaluate("globalThis.seen")) !== undefined, `${selector} is shown`);
      expect(await page.evaluate("seen")).toBe(true);
    });
  };
});
