import type { Content } from "../blocks.ts";
import { tidyTitle } from "../tidy-text.ts";

/** Text as it stands. */
export const readPlainText = (text: string): Content => ({
  title: null,
  blocks: [{ kind: "verbatim", text }],
  warnings: [],
});

/** Markdown as it stands; its title is that of the front matter, else its first heading of the first level. */
export function readMarkdown(text: string): Content {
  const front = /^---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)\r?\n/.exec(text.slice(0, 20_000));
  const stated = /^title:\s*(["']?)(.*)\1\s*$/m.exec(front?.[1] ?? "")?.[2];
  const body = front ? text.slice(front[0].length) : text;
  const heading = /^#\s+(.+?)\s*#*\s*$/m.exec(body.slice(0, 20_000))?.[1];
  return { title: tidyTitle(stated) ?? tidyTitle(heading), blocks: [{ kind: "verbatim", text }], warnings: [] };
}
