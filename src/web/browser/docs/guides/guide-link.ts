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
