/** A guide as `/docs` shows it (src/web/read-guides.ts). */
export interface Guide {
  slug: string;
  title: string;
  group: string;
  /** Markdown. */
  text: string;
}

/** A part of a guide under one heading. */
interface Section {
  /** The heading's id within the guide. */
  id: string;
  /** Without Markdown's signs. */
  heading: string;
  /** 1 to 6. */
  level: number;
  /** What stands under the heading, without Markdown's signs. */
  text: string;
}

/** Ids of headings, as code hosts make them: links between the guides work there and here. */
export const createIds = (): ((heading: string) => string) => {
  const taken = new Map<string, number>();
  return (heading) => {
    const base = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-");
    const count = taken.get(base) ?? 0;
    taken.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
};

/** The words of Markdown. Enough to search in and to show a few of them; `renderGuide` shows it as it is meant. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/<!--[^<>]*-->/g, "")
    .replaceAll("<br>", " ")
    .replaceAll(/!?\[([^[\]]*)\]\([^()\s]*\)/g, "$1")
    .replaceAll(/^ {0,3}(?:```|~~~).*$/gm, "")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/^[>#]|^ *- |\|/gm, " ")
    .replaceAll(/:?-{3,}:?/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

const fence = /^ {0,3}(?:```|~~~)/;

/** A guide by its headings; what stands above the first belongs to it. Lines in blocks of code are no headings. */
export const sectionsOf = (markdown: string): Section[] => {
  const idOf = createIds();
  const sections: { section: Omit<Section, "text">; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (fence.test(line)) isCode = !isCode;
    const [, signs, title] = (!isCode && /^(#{1,6}) (.+)$/.exec(line)) || [];
    if (signs !== undefined && title !== undefined) {
      const heading = plainText(title);
      sections.push({ section: { id: idOf(heading), heading, level: signs.length }, lines: [] });
    } else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ section, lines }) => ({ ...section, text: plainText(lines.join("\n")) }));
};

/** Above it, a lead has as many sentences as it needs. */
const minLeadCharacters = 60;

/** The first sentences of a guide: of its first paragraph that is no code, list or table. */
export const leadOf = (markdown: string): string => {
  const paragraphs = markdown.split(/\n\n+/);
  let isCode = false;
  for (const paragraph of paragraphs) {
    const fences = paragraph.split("\n").filter((line) => fence.test(line)).length;
    const isProse = !isCode && fences === 0 && /^[\p{L}`[]/u.test(paragraph);
    if (fences % 2 === 1) isCode = !isCode;
    if (isProse) return firstSentences(plainText(paragraph));
  }
  return "";
};

const firstSentences = (text: string): string => {
  let end = text.length;
  for (const { index } of text.matchAll(/\.(?=\s|$)/g)) {
    end = index;
    if (index >= minLeadCharacters) break;
  }
  return `${text.slice(0, end).replace(/:$/, "")}.`;
};

/** After this mark, docs/api.md is generated from what the reference shows (tools/write-docs.ts). */
const generatedMark = "<!-- From here on made by `bun tools/write-docs.ts`. -->";

/** A guide as this page shows it: without what its reference shows better. */
export const writtenText = ({ slug, text }: Guide): string =>
  slug === "api" ? (text.split(generatedMark)[0] ?? "").trimEnd() : text;

/** Where a link of a guide leads. */
export type GuideLink =
  /** A place that can be opened. */
  | { address: string; isOutside: boolean }
  /** A file of the sources, which this server does not have, or an address in an example: it is shown as text. */
  | { unlinked: string };

const outside = /^(?:https?|mailto):/i;
const otherScheme = /^[a-z][a-z0-9+.-]*:/i;
const loopback = /^https?:\/\/(?:127\.0\.0\.1|localhost)(?::(\d+))?(\/[^#]*)?$/;
const usualPort = "7373";
/** Pages of this server that guides send their readers to. */
const ownPages = ["/", "/docs"];

/** The generated part of the guide to the API is the reference here. */
const inReference = (anchor: string, anchors: ReadonlySet<string>): boolean => anchor !== "" && !anchors.has(anchor);

/**
 * @param slug the guide that the link stands in @param href as it is written there
 * @param known the slugs of all guides @param apiAnchors headings of the guide to the API that are shown
 */
export const resolveGuideLink = (
  slug: string,
  href: string,
  known: ReadonlySet<string>,
  apiAnchors: ReadonlySet<string>,
): GuideLink => {
  // The guides name the usual address of a server: here it is this one. Others are examples.
  const own = loopback.exec(href);
  if (own !== null) {
    const [, port, page = "/"] = own;
    return port === usualPort && ownPages.includes(page) ? { address: page, isOutside: false } : { unlinked: href };
  }
  if (outside.test(href)) return { address: href, isOutside: true };
  if (otherScheme.test(href)) return { unlinked: href };
  const [path = "", anchor = ""] = href.split("#");
  const base = slug === "readme" ? "/" : "/docs/";
  const target = path === "" ? slug : null;
  const file = path === "" ? "" : new URL(path, `http://guides${base}`).pathname.slice(1);
  const name = target ?? /^(?:docs\/)?([\w-]+)\.md$/.exec(file)?.[1]?.toLowerCase() ?? "";
  const isGuide = target !== null || (known.has(name) && (file.startsWith("docs/") || file === "README.md"));
  if (!isGuide) return { unlinked: file };
  if (name === "api" && inReference(anchor, apiAnchors)) return { address: "/docs/reference", isOutside: false };
  return { address: `/docs/guide/${name}${anchor === "" ? "" : `#${anchor}`}`, isOutside: false };
};
