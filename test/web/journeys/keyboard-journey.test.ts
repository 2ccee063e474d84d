import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { describeInBrowser } from "../describe-in-browser.ts";
import { chooseFiles, fixturePath } from "../give-files.ts";
import { goByKeys, openConsole, press } from "../open-console.ts";
import { startBinary } from "./start-binary.ts";

/** More stops than a view has. */
const maxStops = 120;

/** Goes on by Tab until the element has the focus, as a person without a pointer does. */
const tabTo = async (page: Page, element: Locator): Promise<void> => {
  await element.waitFor();
  for (let stop = 0; stop < maxStops; stop++) {
    if ((await element.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${element}`);
};

await describeInBrowser("without a pointer", async (browser) => {
  const server = await startBinary();
  return () => {
    test("from signing in to signing out: files, a question, its source, a public chat", async () => {
      const { page } = await openConsole(browser, server, { key: null });
      await page.evaluate("addEventListener('pointerdown', () => document.title = 'pointed', true)");
      await page.keyboard.type(server.key);
      await press(page, "Enter");
      await page.locator(".first-steps").waitFor();

      const files = ["layout-parser-paper-fast.pdf", "norwich-city.txt"].map(fixturePath);
      await chooseFiles(page, files, () => press(page, "a"));
      await page.getByText("2 documents are ready.").first().waitFor();

      await goByKeys(page, "a");
      await page.locator(".question-field").waitFor();
      await page.keyboard.type("What is LayoutParser?");
      await press(page, "Enter");
      await page.locator(".receipt").waitFor();
      await tabTo(page, page.locator(".answer .mark").first());
      await press(page, "Enter");
      await page.waitForURL(/\/documents\/.+\?page=/);
      await page.locator(".text-layer mark.passage").first().waitFor();
      await press(page, "]");
      await page.getByText("Page 2 of 2").waitFor();

      await goByKeys(page, "c");
      await page.getByRole("heading", { name: "Chats", level: 1 }).waitFor();
      await press(page, "n");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.type("Desk");
      await press(page, "Enter");
      await page.waitForURL(/\/chats\/.+/);
      await tabTo(page, page.locator(".composer textarea"));
      await page.keyboard.type("What is LayoutParser?");
      await press(page, "Enter");
      await page.locator(".receipt").waitFor();
      await tabTo(page, page.locator("main").getByRole("button", { name: "Settings", exact: true }));
      await press(page, "Enter");
      await tabTo(page, page.getByRole("button", { name: "Make public" }));
      await press(page, "Enter");
      await tabTo(
        page,
        page.getByRole("dialog", { name: "Make this chat public?" }).getByRole("button", { name: "Make public" }),
      );
      await press(page, "Enter");
      await page.getByRole("button", { name: "Make private" }).waitFor();
      await tabTo(page, page.getByLabel("Title"));
      await page.keyboard.type("Ask the desk");
      await press(page, "Enter");
      await page.getByText("The settings are saved.").waitFor();
      const chatId = new URL(page.url()).pathname.split("/").at(-1);
      expect(await (await fetch(`${server.url}/chat/${chatId}`)).text()).toContain("<title>Ask the desk</title>");

      await press(page, "Control+k");
      await page.keyboard.type("sign out");
      await press(page, "Enter");
      await tabTo(page, page.getByRole("button", { name: "Sign out" }));
      await press(page, "Enter");
      await page.locator("input[name=key]").waitFor();
      expect(await page.title()).not.toBe("pointed");
    });
  };
});
