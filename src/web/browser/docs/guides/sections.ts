/** A part of a guide under one heading. */
export interface Section {
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
