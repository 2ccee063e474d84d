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
  const isPlain = (url.protocol === "http:" || url.protocol === "https:") && url.username === "" && url.password === "";
  return isPlain && url.hostname !== "" && url.href.length <= maxCharacters ? url.href : null;
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
