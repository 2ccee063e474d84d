import type { FileProperties } from "../../../providers/contract.ts";
import type { Content } from "../blocks/blocks.ts";
import { oneLine, tidyTitle } from "../blocks/tidy-text.ts";

const maxFrontCharacters = 20_000;

/**
 * Markdown, unchanged but for what only note-taking programs understand (Obsidian): links `[[note|words]]`, embedded
 * files and callouts become words. Its title is that of the front matter, else its first heading of the first level.
 */
export const readMarkdown = (text: string): Content => {
  const front = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(
    text.slice(0, maxFrontCharacters),
  );
  const toml = front === null ? tomlOf(text.slice(0, maxFrontCharacters)) : "";
  const matter = matterOf(front?.[1] ?? toml);
  const body = front === null ? text : text.slice(front[0].length);
  const heading = withoutClosingSigns(/^#[ \t]+(\S.*)$/m.exec(body.slice(0, 20_000))?.[1] ?? "");
  const { words, tags, hasLinks } = withoutNoteSyntax(body);
  const properties = propertiesOf(matter, front !== null || hasLinks ? tags : []);
  return {
    title: tidyTitle(matter.get("title")?.[0]) ?? tidyTitle(heading),
    blocks: [{ kind: "verbatim", text: (front?.[0] ?? "") + words }],
    warnings: [],
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
};

/** A front matter of TOML (Hugo) in the form of YAML's, or nothing. */
const tomlOf = (text: string): string => {
  const [, inside = ""] = /^\+\+\+[ \t]*\r?\n([\s\S]*?)\n\+\+\+[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const pairs = inside.split("\n").map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
  return pairs.map(([name = "", value = ""]) => `${name.trim()}: ${value.trim()}`).join("\n");
};

/**
 * The lists and lines at the top level of a front matter, by name, lower-case. Not all of YAML: a reader of all of it
 * takes minutes for a few thousand brackets.
 */
const matterOf = (yaml: string): Map<string, string[]> => {
  const values = new Map<string, string[]>();
  let last: string[] = [];
  for (const line of yaml.split("\n")) {
    const [, key, rest = ""] = /^([A-Za-z][\w-]{0,60}):(?:\s(.*))?$/.exec(line.trimEnd()) ?? [];
    if (key !== undefined) {
      const value = rest.trimStart();
      last = /^[|>][+-]?$/.test(value) ? [] : itemsOf(value);
      values.set(key.toLowerCase(), last);
    } else if (/^\s*- /.test(line)) last.push(plain(line.replace(/^\s*- /, "")));
    // The second line of a text; of an item, such as the address of an author, it says nothing more.
    else if (/^\s+\S/.test(line) && last.length === 0) last.push(plain(line));
  }
  return values;
};

/** One value, or those of a list in brackets. */
const itemsOf = (value: string): string[] => {
  if (value === "" || value.startsWith("#")) return [];
  const end = value.startsWith("[") ? value.lastIndexOf("]") : -1;
  const list = value.slice(1, Math.max(end, 1));
  return end < 0 ? [plain(value)] : (list.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? []).map(plain);
};

/** A value without quotes, a comment behind it, or the braces and name of `{name: Ann}`. */
const plain = (value: string): string => {
  const text = value.trim();
  const quote = text[0] ?? "";
  const end = quote === '"' || quote === "'" ? text.indexOf(quote, 1) : -1;
  if (end > 0) return text.slice(1, end);
  const bare = text.split(" #", 1)[0] ?? "";
  const name = bare.replace(/^\{/, "").trimStart();
  return name.startsWith("name: ") ? name.slice(6).replace(/\}$/, "").trim() : bare;
};

/** What is kept of a front matter, by the names that writers and programs give it. */
const kept: [name: keyof FileProperties, from: readonly string[]][] = [
  ["author", ["author", "authors"]],
  ["date", ["date"]],
  ["created", ["created"]],
  ["updated", ["updated", "modified", "lastmod"]],
  ["description", ["description", "summary"]],
];
const keptLists: [name: keyof FileProperties, from: readonly string[]][] = [
  ["tags", ["tags", "tag"]],
  ["keywords", ["keywords"]],
  ["categories", ["categories", "category"]],
  ["aliases", ["aliases", "alias"]],
];
const maxValueCharacters = 1_000;
const maxListed = 50;

const propertiesOf = (matter: ReadonlyMap<string, string[]>, inlineTags: readonly string[]): FileProperties => {
  const found: FileProperties = {};
  const valuesOf = (from: readonly string[]) =>
    from.flatMap((key) => matter.get(key) ?? []).map((value) => oneLine(value).slice(0, maxValueCharacters));
  for (const [name, from] of kept) {
    const value = valuesOf(from).slice(0, maxListed).filter(Boolean).join(", ").slice(0, maxValueCharacters);
    if (value !== "") found[name] = value;
  }
  for (const [name, from] of keptLists) {
    // In one line they are parted by commas, tags also by blanks.
    const stated = valuesOf(from).flatMap((value) => value.split(name === "tags" ? /[,\s]/ : ","));
    const words = stated.map((word) => word.trim().replace(name === "tags" ? /^#/ : "", ""));
    const all = new Set([...words, ...(name === "tags" ? inlineTags : [])].filter(Boolean));
    if (all.size > 0) found[name] = [...all].slice(0, maxListed);
  }
  return found;
};

/** A link to a note, or a note or picture put in, with what it is called in the text. */
const noteLink = /!?\[\[([^[\]\n|]{1,300})(?:\|([^[\]\n]{0,300}))?\]\](?!\()/g;
/** A word with `#` before it, at least one sign of which is no digit. */
const inlineTag = /(?<![^\s(])#([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*)/gu;

/** The text without the syntax of note-taking programs, outside of code, and its tags. */
const withoutNoteSyntax = (text: string): { words: string; tags: string[]; hasLinks: boolean } => {
  let fence: string | null = null;
  let hasLinks = false;
  const tags: string[] = [];
  const words = text.split("\n").map((line) => {
    const mark = /^\s{0,3}(```|~~~)/.exec(line)?.[1] ?? null;
    if (mark !== null && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    if (fence !== null || mark !== null) return line;
    const pieces = line.split("`").map((piece, index) => {
      if (index % 2 === 1) return piece;
      for (const [, tag = ""] of piece.matchAll(inlineTag)) if (tags.length < maxListed) tags.push(tag.slice(0, 100));
      return piece.replace(noteLink, (_, target: string, shown: string | undefined) => {
        hasLinks = true;
        return linkWords(target.trim(), shown?.trim() ?? "");
      });
    });
    return pieces
      .join("`")
      .replace(/^((?:>[ \t]?)+)\[!([\w-]{1,40})\][+-]?[ \t]*/, (_, marks: string, kind: string) => {
        return `${marks}**${kind[0]?.toUpperCase()}${kind.slice(1).toLowerCase()}:** `;
      });
  });
  return { words: words.join("\n"), tags, hasLinks };
};

/** `words (note)` where the words do not name the note; a heading of it as `note > heading`. */
const linkWords = (target: string, shown: string): string => {
  const named = target
    .split("#")
    .map((part) => part.trim())
    .filter((part) => part !== "" && !part.startsWith("^"))
    .join(" > ");
  // A picture's words may be its width.
  if (shown === "" || /^\d+(?:x\d+)?$/.test(shown) || shown.toLowerCase() === named.toLowerCase()) return named;
  return named === "" ? shown : `${shown} (${named})`;
};

/** A heading's text without the number signs that may close it. */
const withoutClosingSigns = (line: string): string => {
  const text = line.trimEnd();
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end--;
  return text.slice(0, end);
};

/** Text, unchanged. */
export const readPlainText = (text: string): Content => ({
  title: null,
  blocks: [{ kind: "verbatim", text }],
  warnings: [],
});
