import { expect, test } from "bun:test";
import { contrast, minContrast, parseColor } from "../../src/web/browser/shared/color.ts";

const css = await Bun.file(new URL("../../src/web/browser/shared/tokens.css", import.meta.url)).text();

/** Colors by name, of one `:root` block. */
const colorsOf = (block: string): Map<string, string> =>
  new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", color = ""]) => [name, color]));
const [light = new Map(), dark = new Map()] = css.split(":root {").slice(1).map(colorsOf);

/** What text of a color, or a border, stands on. */
const pairs = [
  ...["ink", "quiet", "accent", "good", "wait", "bad"].flatMap((text) => [
    [text, "paper"],
    [text, "raised"],
  ]),
  ["ink", "marker"],
  ["on-accent", "accent"],
  ["edge", "paper"],
  ["edge", "raised"],
];

/** Of the border of a field: what shows where to type. */
const minEdge = 3;

test.each([
  ["light", light],
  ["dark", dark],
] as const)("every text can be read: %s", (_, colors: Map<string, string>) => {
  for (const [text = "", ground = ""] of pairs) {
    const [one, other] = [parseColor(colors.get(text)), parseColor(colors.get(ground))];
    if (one === null || other === null) throw new Error(`no color ${text} or ${ground}`);
    const least = text === "edge" ? minEdge : minContrast;
    expect(contrast(one, other), `${text} on ${ground}`).toBeGreaterThanOrEqual(least);
  }
});
