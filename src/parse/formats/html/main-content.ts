import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import {
  childElements,
  descendant,
  descendants,
  isElement,
  type MarkupElement,
  readMarkup,
} from "../../markup/markup.ts";
import { isHidden } from "./inline.ts";

/** What Readability finds must have at least this share of the page's text outside links. */
const minReadableShare = 0.8;
/** With a larger share of its text in links, a page may still contain menus and teasers. */
const maxLinkShare = 0.1;
const minCharacters = 140;
/** A page with fewer characters beside its menus says nothing else than they do. */
const fewestCharacters = 40;

/**
 * The content of a page: its `main` element or only article, else the body without navigation, banners and the like.
 * Where that body still consists largely of links, what Readability finds, unless that is too little.
 */
export const mainContent = (root: MarkupElement, html: string): MarkupElement => {
  const body = withoutAsides(descendant(root, "body") ?? root);
  const whole = textLength(body);
  // A page of links alone, such as an index.
  const all = descendant(root, "body") ?? root;
  if (whole < fewestCharacters && textLength(all) > 5 * whole) return all;
  const marked = markedMain(body);
  if (marked && textLength(marked) >= Math.min(minCharacters, whole * 0.3)) return marked;
  const linked = linkShare(body);
  const readable = linked > maxLinkShare && isReadable(body) ? readableContent(html) : null;
  return readable && textLength(readable) >= whole * (1 - linked) * minReadableShare ? readable : body;
};

/** What an element holds, counted once for each: the same is asked of all elements around it. */
interface Measures {
  /** Characters of visible text but white space. */
  text: number;
  /** Those inside links. */
  linked: number;
  /** All characters. */
  characters: number;
  /** The names of interest of elements inside. */
  names: ReadonlySet<string>;
}

const measured = new WeakMap<MarkupElement, Measures>();
const namesOfInterest = new Set(["h1", "main", "article"]);

const measuresOf = (element: MarkupElement): Measures => {
  const known = measured.get(element);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const measures = { text: 0, linked: 0, characters: 0, names };
  for (const child of element.children) {
    if (!isElement(child)) {
      measures.text += child.replace(/\s+/g, "").length;
      measures.characters += child.length;
      continue;
    }
    const inside = measuresOf(child);
    if (!isHidden(child)) measures.text += inside.text;
    measures.linked += child.name === "a" ? inside.text : inside.linked;
    measures.characters += inside.characters;
    if (namesOfInterest.has(child.name)) names.add(child.name);
    for (const name of inside.names) names.add(name);
  }
  measured.set(element, measures);
  return measures;
};

const textLength = (element: MarkupElement): number => measuresOf(element).text;

const markedMain = (body: MarkupElement): MarkupElement | null => {
  const byRole = find(body, (element) => element.name === "main" || element.attributes.role === "main");
  if (byRole) return byRole;
  const articles = descendants(body, "article");
  return articles.length === 1 ? (articles[0] ?? null) : null;
};

const find = (element: MarkupElement, matches: (element: MarkupElement) => boolean): MarkupElement | null => {
  for (const child of childElements(element)) {
    const found = matches(child) ? child : find(child, matches);
    if (found) return found;
  }
  return null;
};

const asideRoles = new Set(["navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert"]);
/** Class and id words of elements that surround the content on most sites, and hold nothing of it. */
const asideWords =
  /(?:^|[\s_-])(?:cookies?[\s_-]?(?:banner|bar|consent|notice|policy|popup|modal|overlay|law|message|dialog|alert|info|wall|warning|disclaimer|settings|preferences|container|box)|consent|gdpr|newsletter|subscribe|popup|modal|skip-?(?:link|to-content|nav)|site-footer|site-header|advert(?:isement)?s?|ads?)(?:$|[\s_-])|(?:^|\s)cookies?(?:$|\s)/i;
/** Those of lists of links, or of a restaurant's menu. */
const linkWords = /(?:^|[\s_-])(?:share|sharing|social|breadcrumbs?|related|promo|navbar|nav|menu)(?:$|[\s_-])/i;

/**
 * A copy without navigation, banners, footers and asides; a header that holds the page's heading stays, and what stands
 * beside the text of an article itself, unless it is links.
 */
const withoutAsides = (element: MarkupElement, isInText = false): MarkupElement => {
  const isText = isInText || /^(?:main|article)$/.test(element.name);
  return {
    ...element,
    children: element.children
      .filter((child) => !isElement(child) || !isAside(child, isText))
      .map((child) => (isElement(child) ? withoutAsides(child, isText) : child)),
  };
};

const isAside = (element: MarkupElement, isInText: boolean): boolean => {
  const { name, attributes } = element;
  if (name === "main" || name === "article" || name === "body") return false;
  const { names, characters } = measuresOf(element);
  const keepsHeading = () => names.has("h1");
  if (/^doc-(foot|end)notes?$/.test(attributes.role ?? "")) return false;
  if (name === "aside" && isInText) return isMostlyLinks(element);
  if (name === "nav" || name === "aside" || name === "footer" || isHidden(element)) return true;
  if (name === "header" || asideRoles.has(attributes.role ?? "")) return !keepsHeading();
  const words = `${attributes.class ?? ""} ${attributes.id ?? ""}`;
  if ((sideWords.test(words) || linkWords.test(words)) && isMostlyLinks(element)) return !keepsHeading();
  if (!asideWords.test(words) || names.has("main") || names.has("article")) return false;
  return !keepsHeading() && (isMostlyLinks(element) || characters < 600);
};

/** A side bar may hold opening hours as well as menus. */
const sideWords = /(?:^|[\s_-])sidebar(?:$|[\s_-])/i;

const isMostlyLinks = (element: MarkupElement): boolean => linkShare(element) > 0.5;

/** Share of an element's visible text that is inside links. */
const linkShare = (element: MarkupElement): number => {
  const { linked, text } = measuresOf(element);
  return linked / Math.max(text, 1);
};

/**
 * Readability's time grows with how deep elements are nested, and a page made of 6,000 links inside one another took it
 * five seconds. Written pages are some 30 deep.
 */
const maxReadableDepth = 100;
const maxReadableElements = 50_000;

const isReadable = (body: MarkupElement): boolean => {
  let left = maxReadableElements;
  const isWithin = (element: MarkupElement, depth: number): boolean =>
    depth <= maxReadableDepth && childElements(element).every((child) => --left > 0 && isWithin(child, depth + 1));
  return isWithin(body, 0);
};

/** What Readability finds, or null; after an error the body is read. */
const readableContent = (html: string): MarkupElement | null => {
  try {
    const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
    const article = new Readability(document as unknown as ConstructorParameters<typeof Readability>[0], {
      charThreshold: minCharacters,
    }).parse();
    return article?.content ? readMarkup(article.content, "html") : null;
  } catch {
    return null;
  }
};
