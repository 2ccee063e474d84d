import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { Marked } from "marked";
import {
  createIds,
  leadOf,
  plainText,
  resolveGuideLink,
  sectionsOf,
  writtenText,
} from "../../../src/web/browser/docs/guide-text.ts";
import { readGuides } from "../../../src/web/read-guides.ts";

const guides = await readGuides();
const root = new URL("../../../", import.meta.url);
const known = new Set(guides.map(({ slug }) => slug));
const idsOf = new Map(guides.map((guide) => [guide.slug, new Set(sectionsOf(writtenText(guide)).map(({ id }) => id))]));
const apiIds = idsOf.get("api") ?? new Set<string>();

const linksIn = (text: string): string[] => {
  const found: string[] = [];
  const marked = new Marked();
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === "link") found.push(String(token.href));
  });
  return found;
};

test("every link of every guide leads to a guide, a heading of it, a file of the sources or another host", () => {
  let count = 0;
  for (const guide of guides) {
    for (const href of linksIn(writtenText(guide))) {
      const link = resolveGuideLink(guide.slug, href, known, apiIds);
      const name = `${guide.slug}: ${href}`;
      count += 1;
      if ("unlinked" in link) {
        const isThere = /^[a-z]+:/.test(link.unlinked) || existsSync(new URL(link.unlinked, root));
        expect({ name, isThere }).toEqual({ name, isThere: true });
      } else if (!link.isOutside) {
        const [path = "", id = ""] = link.address.split("#");
        const slug = /^\/docs\/guide\/(.+)$/.exec(path)?.[1];
        if (slug === undefined) expect(["/docs", "/docs/reference", "/"], name).toContain(path);
        else expect(known, name).toContain(slug);
        if (id !== "") expect(idsOf.get(slug ?? ""), name).toContain(id);
      }
    }
  }
  expect(count).toBeGreaterThan(60);
});

test.each([
  ["quality", "evaluation.md#calibration", { address: "/docs/guide/evaluation#calibration", isOutside: false }],
  ["readme", "docs/cli.md", { address: "/docs/guide/cli", isOutside: false }],
  ["cli", "../README.md", { address: "/docs/guide/readme", isOutside: false }],
  ["operations", "#limits", { address: "/docs/guide/operations#limits", isOutside: false }],
  ["api", "#list-documents", { address: "/docs/reference", isOutside: false }],
  ["api", "#keys", { address: "/docs/guide/api#keys", isOutside: false }],
  ["deploy", "../deploy/proxy/nginx.conf", { unlinked: "deploy/proxy/nginx.conf" }],
  ["quality", "../bench/quality/README.md#static", { unlinked: "bench/quality/README.md" }],
  ["readme", "http://127.0.0.1:7373/docs", { address: "/docs", isOutside: false }],
  ["bad-input", "http://localhost:7373/api/key", { unlinked: "http://localhost:7373/api/key" }],
  ["models", "http://127.0.0.1:11434", { unlinked: "http://127.0.0.1:11434" }],
  ["bad-input", "ftp://example.com/a", { unlinked: "ftp://example.com/a" }],
  ["readme", "https://nodejs.org", { address: "https://nodejs.org", isOutside: true }],
])("%s: %s", (slug, href, link) => {
  expect(resolveGuideLink(slug, href, known, apiIds)).toEqual(link);
});

test("headings have the ids that code hosts give them", () => {
  const idOf = createIds();
  expect(
    ["Who did it: the audit log", "`carrel key create`", "TLS", "TLS"].map((text) => idOf(plainText(text))),
  ).toEqual(["who-did-it-the-audit-log", "carrel-key-create", "tls", "tls-1"]);
});

test("a line in a block of code is no heading; text has no signs of Markdown", () => {
  const text =
    "# One\n\nA [link](a.md) and `code`.\n\n```sh\n# not a heading\n```\n\n## Two\n\n| a | b |\n|---|---|\n| 1<br>`x` | **2** |";
  expect(sectionsOf(text)).toEqual([
    { id: "one", heading: "One", level: 1, text: "A link and code. not a heading" },
    { id: "two", heading: "Two", level: 2, text: "a b 1 x 2" },
  ]);
});

test("each guide begins with a sentence that tells what it is about", () => {
  for (const { slug, text } of guides) {
    const lead = leadOf(text);
    expect({ slug, isSentence: /^\S.{10,}\.$/.test(lead) && !/```|\|/.test(lead) }).toEqual({ slug, isSentence: true });
  }
});
