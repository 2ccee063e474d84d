/** Longer addresses are not followed: most come from a page that links to itself with ever more parameters. */
const maxCharacters = 1_024;

/**
 * The one form of a page's address under which its document is known.
 * @returns null for what is no address of a page: another scheme, a user name, too long
 */
export const pageAddress = (address: string, base?: string): string | null => {
  const text = address.trim();
  if (text === "" || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  url.hash = "";
  dropNoise(url);
  const isPlain = (url.protocol === "http:" || url.protocol === "https:") && url.username === "" && url.password === "";
  return isPlain && url.hostname !== "" && url.href.length <= maxCharacters ? url.href : null;
};

/** Parameters that say where a visitor came from, or name the visit. Without them a page is the same. */
const noiseParameters =
  /^(utm_\w*|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|ttclid|twclid|igshid|li_fat_id|srsltid|mc_[ce]id|mkt_tok|vero_(conv|id)|oly_(anon|enc)_id|_hsenc|_hsmi|_ga|_gl|phpsessid|jsessionid|aspsessionid\w*|sessionid|cfid|cftoken)$/i;

const dropNoise = (url: URL): void => {
  const path = url.pathname.replace(/;jsessionid=[^/;]*/gi, "");
  if (path !== url.pathname) url.pathname = path;
  if (url.search === "") return;
  const parts = url.search.slice(1).split("&");
  const kept = parts.filter((part) => !noiseParameters.test(part.split("=", 1)[0] ?? ""));
  if (kept.length < parts.length) url.search = kept.join("&");
};

/** The same for all forms of one address: with a slash at its end or without, or with the name of the index page. */
export const pageKey = (address: string): string => {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/(index|default)\.(html?|xhtml|php|aspx?|jsp)$/i, "/").replace(/(?<!^)\/$/, "");
  return url.href;
};

/** Both on one host, with or without `www.`, by http or https. */
export const isSameSite = (one: string, other: string): boolean => siteOf(one) === siteOf(other);

const siteOf = (address: string): string => {
  const { hostname, port } = new URL(address);
  return `${hostname.replace(/^www\./, "")}:${port}`;
};

/** Extensions of files without text, and of documents that are not pages of the site. */
const otherThanPages =
  /\.(png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|webm|ogg|wav|avi|mov|css|m?js|json|xml|rss|atom|woff2?|ttf|eot|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|deb|rpm|iso|apk|jar|pdf|docx?|xlsx?|pptx?|od[tsp]|epub|csv)$/i;

export const looksLikePage = (address: string): boolean => !otherThanPages.test(new URL(address).pathname);
