import type { Page } from "playwright-core";

const axe = await Bun.file(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url)).text();

/** Until nothing fades or moves any more that ends by itself: what is still coming has not its contrast yet. */
const settled = `(async () => {
  for (;;) {
    const moving = document.getAnimations().filter(
      (each) => each.playState === "running" && each.effect?.getComputedTiming().endTime !== Infinity,
    );
    if (moving.length === 0) return;
    await Promise.allSettled(moving.map(({ finished }) => finished));
  }
})()`;

/** Waits until nothing moves or fades any more. */
export const settle = async (page: Page): Promise<void> => {
  await page.evaluate(settled);
};

/** What keeps people out of a page as it is shown: rules that are broken in a serious or critical way, with elements. */
export const barriersOf = async (page: Page): Promise<[rule: string, elements: string[]][]> => {
  // The page's policy forbids added scripts: the tests are evaluated by the debugger.
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe);
  await settle(page);
  const found = await page.evaluate("axe.run({ resultTypes: ['violations'] })");
  const { violations } = found as { violations: { id: string; impact: string; nodes: { html: string }[] }[] };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
};

/** How far a page is wider than its window, in pixels: 0 where nothing has to be scrolled sideways. */
export const overflowOf = async (page: Page): Promise<number> =>
  (await page.evaluate("document.documentElement.scrollWidth - innerWidth")) as number;
