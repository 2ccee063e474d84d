/** A heading (level 1 to 6) or a paragraph (level 0) of a page. */
export interface Block {
  level: number;
  text: string;
}

/** Elements that are not of the page itself: navigation, pictures, and parts of other pages that are shown in this one. */
const foreignTags = new Set(["head", "header", "aside", "script", "style", "noscript", "nav"]);
const foreignNames = /\b(?:noteicon|relatedtopics|embedded|howtoget|DebugDiv|debug|SearchFrame|DonationFrame)\b/;
const voidTags = new Set(["area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]);
const blockTags = /^(?:h[1-6]|p|pre)$/;
/** A tag with its attributes, or the text up to the next. */
const token = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|<[^<>]*>|[^<]+/gi;

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", shy: "" };

const decode = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{1,8}));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return entities[name] ?? whole;
  });

/** The headings and paragraphs of a page of documentation in HTML, in order. */
export const readBlocks = (html: string): Block[] => {
  const blocks: Block[] = [];
  /** Open elements that count: foreign ones and what is in them. */
  let foreignDepth = 0;
  let open: Block | null = null;
  for (const [text, slash, name, attributes = ""] of html.matchAll(token)) {
    if (name === undefined) {
      if (open !== null && foreignDepth === 0 && !text.startsWith("<")) open.text += text;
      continue;
    }
    const tag = name.toLowerCase();
    if (voidTags.has(tag)) {
      if (open !== null) open.text += " ";
    } else if (slash === "/") {
      if (foreignDepth > 0) foreignDepth--;
      else if (blockTags.test(tag)) open = null;
    } else if (foreignDepth > 0 || foreignTags.has(tag) || foreignNames.test(attributes)) foreignDepth++;
    else if (blockTags.test(tag)) {
      open = { level: tag.startsWith("h") ? Number(tag.slice(1)) : 0, text: "" };
      blocks.push(open);
    }
  }
  return blocks
    .map((block) => ({ ...block, text: decode(block.text).replace(/\s+/gu, " ").trim() }))
    .filter(({ text }) => text !== "");
};
