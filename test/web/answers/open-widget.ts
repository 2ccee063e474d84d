import type { Frame, Page } from "playwright-core";
import { until } from "../../until.ts";

/** Opens the widget on a site, by keyboard. @returns the frame with the chat */
export const openWidget = async (page: Page): Promise<Frame> => {
  // The widget's tree is closed to the site; the first stop of the keyboard is its button.
  await page.waitForFunction("document.body.lastElementChild?.tagName === 'DIV'");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const chat = () => page.frames().find((frame) => frame.url().includes("/chat/"));
  await until(() => chat() !== undefined, "the widget shows the chat");
  const frame = chat() ?? page.mainFrame();
  await frame.waitForSelector("#message");
  return frame;
};
