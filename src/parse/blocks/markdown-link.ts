import { oneLine } from "./tidy-text.ts";

const maxLinkCharacters = 2_000;

/**
 * Text as a Markdown link; the text alone where the target cannot be opened or is the text itself, and where it contains
 * a link: links inside one another would escape the brackets of all those inside, and grow with the square of their number.
 * @param target an absolute address, or a relative one where the base is not known
 */
export const markdownLink = (text: string, target: string): string => {
  if (text.includes("](")) return text;
  const label = oneLine(text);
  if (label === "" || target === "" || target.startsWith("#") || target.length > maxLinkCharacters) return text;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(target)?.[1]?.toLowerCase();
  if (scheme !== undefined && !["http", "https", "mailto", "tel", "ftp"].includes(scheme)) return text;
  const bare = (address: string) => address.replace(/^mailto:/, "").replace(/\/$/, "");
  if (bare(target) === bare(label)) return text;
  const lead = text.slice(0, text.length - text.trimStart().length);
  const trail = text.slice(text.trimEnd().length);
  const address = target.replace(
    /[()\s<>]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
  return `${lead}[${label.replace(/([[\]])/g, "\\$1")}](${address})${trail}`;
};
