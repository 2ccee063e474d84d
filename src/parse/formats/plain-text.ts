import type { Content } from "../blocks/blocks.ts";
import { tidyTitle } from "../tidy-text.ts";

/** Text, unchanged. */
export const readPlainText = (text: string): Content => ({
  title: null,
  blocks: [{ kind: "verbatim", text }],
  warnings: [],
});

/** Markdown, unchanged; its title is that of the front matter, else its first heading of the first level. */
export const readMarkdown = (text: string): Content => {
  const front = /^---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)\r?\n/.exec(text.slice(0, 20_000));
  const stated = unquoted(/^title:(.*)$/m.exec(front?.[1] ?? "")?.[1]?.trim() ?? "");
  const body = front ? text.slice(front[0].length) : text;
  const heading = withoutClosingSigns(/^#[ \t]+(\S.*)$/m.exec(body.slice(0, 20_000))?.[1] ?? "");
  return { title: tidyTitle(stated) ?? tidyTitle(heading), blocks: [{ kind: "verbatim", text }], warnings: [] };
};

const unquoted = (value: string): string => {
  const [quote = ""] = value;
  const isQuoted = (quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
};

/** A heading's text without the number signs that may close it. */
const withoutClosingSigns = (line: string): string => {
  const text = line.trimEnd();
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end--;
  return text.slice(0, end);
};
