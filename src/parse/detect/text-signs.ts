/**
 * Features of a text's kind that a regular expression would find only by backtracking. Each of these functions makes
 * one pass over the text.
 */

/** The text after the comments and white space that it begins with. */
export const afterComments = (text: string): string => {
  let at = 0;
  for (;;) {
    while (at < text.length && /\s/.test(text[at] as string)) at++;
    if (!text.startsWith("<!--", at)) return text.slice(at);
    const end = text.indexOf("-->", at + 4);
    if (end < 0) return text.slice(at);
    at = end + 3;
  }
};

/** The text after an XML declaration; the text itself where it begins with none. */
export const afterXmlDeclaration = (text: string): string => {
  if (!/^<\?xml/i.test(text)) return text;
  const end = text.indexOf(">");
  return end < 0 ? text : text.slice(end + 1);
};

/** Names of the mail headers that the text begins with, lower-case; a line `From …` of a mailbox may stand before. */
export const mailHeaderNames = (text: string): Set<string> => {
  const names = new Set<string>();
  const name = /([!-9;-~]+):/y;
  let start = /^>?From /.test(text) ? text.indexOf("\n") + 1 : 0;
  // A last line without its end may be cut off.
  for (let end = text.indexOf("\n", start); end >= 0; end = text.indexOf("\n", start)) {
    name.lastIndex = start;
    const found = name.exec(text)?.[1];
    const isContinued = names.size > 0 && (text[start] === " " || text[start] === "\t");
    if (found === undefined && !isContinued) break;
    if (found !== undefined) names.add(found.toLowerCase());
    start = end + 1;
  }
  return names;
};

/** Whether a tag is anywhere in the text. */
export const holdsTag = (text: string): boolean => {
  const start = text.search(/<\/?[a-z]/i);
  return start >= 0 && text.indexOf(">", start) >= 0;
};

/** Whether the text is one element from its first tag to its last. */
export const isOneElement = (text: string): boolean => {
  const name = /^<([A-Za-z_][\w.:-]*)[\s>]/.exec(text)?.[1];
  const whole = text.trimEnd();
  return name !== undefined && whole.endsWith(">") && whole.slice(0, -1).trimEnd().endsWith(`</${name}`);
};

/** Whether a Markdown link (`[text](target)`) is on a line of the text. */
export const holdsMarkdownLink = (text: string): boolean => {
  const closing = /[)\n]/g;
  /** The first `)` or end of line at or after the target's begin. */
  let close = -1;
  for (let middle = text.indexOf("]("); middle >= 0; middle = text.indexOf("](", middle + 1)) {
    let hasLabel = false;
    for (let at = middle - 1; at >= 0 && text[at] !== "]" && text[at] !== "\n" && !hasLabel; at--)
      hasLabel = text[at] === "[" && at < middle - 1;
    if (close < middle + 2) {
      closing.lastIndex = middle + 2;
      close = closing.exec(text)?.index ?? text.length;
    }
    if (hasLabel && text[close] === ")" && close > middle + 2) return true;
  }
  return false;
};
