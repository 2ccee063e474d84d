import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import {
  childElements,
  descendant,
  descendants,
  isElement,
  type MarkupElement,
  readMarkup,
  textOf,
} from "../../markup.ts";
import { isHidden } from "./elements.ts";

/** With less of the page's text outside links than this, what readability found is a part, not the content. */
const enoughShare = 0.8;
/** With more of the text inside links than this, a page may still hold menus and teasers that have to go. */
const linkShareOfMenus = 0.1;
const fewestCharacters = 140;

/**
 * The part of a page that people come for: its `main` element or only article, else the body without navigation,
 * banners and the like. Where that body is still full of links, what readability finds, unless that is too little.
 */
export const mainContent = (root: MarkupElement, html: string): MarkupElement => {
  const body = withoutFurniture(descendant(root, "body") ?? root);
  const whole = textLength(body);
  const marked = markedMain(body);
  if (marked && textLength(marked) >= Math.min(fewestCharacters, whole * 0.3)) return marked;
  const linked = linkShare(body);
  const readable = linked > linkShareOfMenus ? readableContent(html) : null;
  return readable && textLength(readable) >= whole * (1 - linked) * enoughShare ? readable : body;
};

const textLength = (element: MarkupElement): number => visibleText(element).replace(/\s+/g, "").length;

const visibleText = (element: MarkupElement): string =>
  element.children.map((child) => (isElement(child) ? (isHidden(child) ? "" : visibleText(child)) : child)).join(" ");

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

const furnitureRoles = new Set(["navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert"]);
/** Class and id words of what surrounds content on most sites. */
const furnitureWords =
  /(?:^|[\s_-])(?:cookies?|consent|gdpr|newsletter|subscribe|share|sharing|social|breadcrumbs?|sidebar|related|promo|popup|modal|skip-?(?:link|to-content|nav)|navbar|nav|menu|site-footer|site-header|advert(?:isement)?s?|ads?)(?:$|[\s_-])/i;

/** A copy without navigation, banners, footers and asides; a header that holds the page's heading stays. */
const withoutFurniture = (element: MarkupElement): MarkupElement => {
  return {
    ...element,
    children: element.children
      .filter((child) => !isElement(child) || !isFurniture(child))
      .map((child) => (isElement(child) ? withoutFurniture(child) : child)),
  };
};

const isFurniture = (element: MarkupElement): boolean => {
  const { name, attributes } = element;
  if (name === "main" || name === "article" || name === "body") return false;
  const keepsHeading = () => descendant(element, "h1") !== null;
  if (/^doc-(foot|end)notes?$/.test(attributes.role ?? "")) return false;
  if (name === "nav" || name === "aside" || name === "footer" || isHidden(element)) return true;
  if (name === "header" || furnitureRoles.has(attributes.role ?? "")) return !keepsHeading();
  const words = `${attributes.class ?? ""} ${attributes.id ?? ""}`;
  if (!furnitureWords.test(words) || descendant(element, "main") || descendant(element, "article")) return false;
  return !keepsHeading() && (isMostlyLinks(element) || textOf(element).length < 600);
};

const isMostlyLinks = (element: MarkupElement): boolean => linkShare(element) > 0.5;

/** Share of an element's visible text that stands inside links. */
const linkShare = (element: MarkupElement): number => {
  const linked = descendants(element, "a").reduce((sum, link) => sum + textLength(link), 0);
  return linked / Math.max(textLength(element), 1);
};

/** What readability takes for the article, or null. Its failures are its own: the body is read then. */
const readableContent = (html: string): MarkupElement | null => {
  try {
    const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
    const article = new Readability(document as unknown as ConstructorParameters<typeof Readability>[0], {
      charThreshold: fewestCharacters,
    }).parse();
    return article?.content ? readMarkup(article.content, "html") : null;
  } catch {
    return null;
  }
};
