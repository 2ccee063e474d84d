import Papa from "papaparse";
import type { Block, Content } from "../blocks/blocks.ts";
import { tidyTitle } from "../blocks/tidy-text.ts";

/**
 * AsciiDoc, reStructuredText and Org as Markdown. Each is read line by line: headings, lists, tables, code, notes and
 * links are recognized, what else begins with a sign of the markup goes, and any other text stays as it is.
 */
interface Lines {
  readonly all: readonly string[];
  at: number;
}

interface Writer {
  blocks: Block[];
  paragraph: string[];
}

const open = (text: string): { lines: Lines; writer: Writer } => ({
  lines: { all: text.replace(/\r\n?/g, "\n").split("\n"), at: 0 },
  writer: { blocks: [], paragraph: [] },
});

const endParagraph = ({ blocks, paragraph }: Writer, inline: (text: string) => string): void => {
  if (paragraph.length > 0) blocks.push({ kind: "paragraph", text: inline(paragraph.join(" ")) });
  paragraph.length = 0;
};

/** The lines up to one that a test is true for, which is passed too. */
const takeUntil = (lines: Lines, isEnd: (line: string) => boolean): string[] => {
  const taken: string[] = [];
  while (lines.at < lines.all.length) {
    const line = lines.all[lines.at++] as string;
    if (isEnd(line)) break;
    taken.push(line);
  }
  return taken;
};

const withoutIndent = (lines: readonly string[]): string => {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const least = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(least)).join("\n");
};

const contentOf = ({ blocks }: Writer, stated: string | null): Content => {
  const first = blocks.find((block) => block.kind === "heading");
  return { title: tidyTitle(stated ?? (first?.kind === "heading" ? first.text : null)), blocks, warnings: [] };
};

const admonition = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(?=\S)/;
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();

const asciidocInline = (text: string): string =>
  text
    .replace(/(?:link:|xref:)?([a-z]{3,8}:\/\/[^\s[\]]{1,2000})\[([^\]]{0,500})\]/g, (_, url: string, label: string) =>
      label === "" ? url : `[${label}](${url})`,
    )
    .replace(/xref:[^\s[\]]{1,200}\[([^\]]{0,500})\]/g, "$1")
    .replace(/<<([^<>,]{1,200})(?:,([^<>]{1,200}))?>>/g, (_, target: string, label?: string) =>
      (label ?? target).trim(),
    )
    .replace(/image::?[^\s[\]]{1,500}\[([^\]]{0,500})\]/g, "$1")
    .replace(/footnote:[^\s[\]]{0,100}\[([^\]]{0,1000})\]/g, " ($1)")
    .replace(/\{[a-z][\w-]{0,60}\}/g, (whole) => ({ "{nbsp}": " ", "{plus}": "+" })[whole] ?? whole)
    .replace(/(^|[\s(])\*([^\s*][^*]{0,500})\*(?=$|[\s.,;:!?)])/g, "$1**$2**");

/** AsciiDoc. */
export const readAsciidoc = (text: string): Content => {
  const { lines, writer } = open(text);
  let title: string | null = null;
  let language = "";
  const attributes = new Map<string, string>();
  const end = () => endParagraph(writer, asciidocInline);
  while (lines.at < lines.all.length) {
    const line = (lines.all[lines.at++] as string).replace(
      /\{([a-z][\w-]{0,60})\}/g,
      (whole, name: string) => attributes.get(name) ?? whole,
    );
    const [, attribute, value = ""] = /^:([\w-]{1,60}):[ \t]{1,20}(\S.{0,500})$/.exec(line) ?? [];
    if (attribute !== undefined) attributes.set(attribute, value.trim());
    const picture = /^(?:image|video|audio)::[^\s[\]]{1,500}\[([^\]]{0,500})\][ \t]*$/.exec(line);
    const heading = /^(={1,6})[ \t]+(\S.*)$/.exec(line);
    const fence = /^(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|```)[ \t]*$/.exec(line)?.[1];
    const item = /^[ \t]*([*-]{1,5}|\.{1,5}|\d{1,3}\.)[ \t]+(\S.*)$/.exec(line);
    const term = /^([^:]{1,200})::[ \t]*(\S.*)?$/.exec(line);
    const note = admonition.exec(line);
    if (heading) {
      end();
      const level = (heading[1] ?? "").length;
      if (level === 1) title ??= heading[2] ?? null;
      writer.blocks.push({ kind: "heading", level, text: asciidocInline(heading[2] ?? "") });
      // Author and revision stand below the title.
      if (level === 1 && writer.blocks.length === 1) while (lines.all[lines.at] === "") lines.at++;
    } else if (picture) {
      end();
      const [said = ""] = (picture[1] ?? "").split(",", 1);
      writer.paragraph.push(said.replace(/^"|"$/g, ""));
      end();
    } else if (/^\|===+[ \t]*$/.test(line)) {
      end();
      writer.blocks.push({ kind: "table", rows: asciidocRows(takeUntil(lines, (one) => /^\|===+[ \t]*$/.test(one))) });
    } else if (fence !== undefined) {
      end();
      const inside = takeUntil(lines, (one) => one.trimEnd() === fence);
      if (fence.startsWith("/")) continue;
      if (/^[-.`+]/.test(fence)) writer.blocks.push({ kind: "code", language, text: inside.join("\n") });
      else writer.blocks.push(...readAsciidoc(inside.join("\n")).blocks);
      language = "";
    } else if (/^\[.{0,200}\][ \t]*$/.test(line)) {
      end();
      language = /^\[source,[ \t]*([\w+#-]{1,20})/.exec(line)?.[1] ?? "";
    } else if (
      /^:[\w!-]{1,60}:/.test(line) ||
      /^\/\/(?!\/)/.test(line) ||
      /^(ifdef|ifndef|endif|include|toc)::/.test(line)
    )
      end();
    else if (line.trim() === "" || line.trim() === "+") end();
    else if (note) {
      end();
      writer.paragraph.push(`${capital(note[1] ?? "")}: ${line.slice(note[0].length)}`);
    } else if (item) {
      end();
      const [, mark = "", said = ""] = item;
      const isNumbered = mark.startsWith(".") || /^\d/.test(mark);
      const depth = /^\d/.test(mark) ? 0 : mark.length - 1;
      writer.blocks.push({ kind: "item", depth, marker: isNumbered ? "1." : "-", text: asciidocInline(said) });
    } else if (term) {
      end();
      const [, name = "", said = ""] = term;
      writer.blocks.push({
        kind: "item",
        depth: 0,
        marker: "-",
        text: asciidocInline(said === "" ? name : `${name}: ${said}`),
      });
    } else if (/^\.[^\s.]/.test(line)) {
      end();
      writer.blocks.push({ kind: "paragraph", text: asciidocInline(line.slice(1)) });
    } else writer.paragraph.push(line.replace(/ \+$/, "").trim());
  }
  end();
  return contentOf(writer, title);
};

/** Cells in one line are a row; cells in lines of their own are a row up to the width of the first one. */
const asciidocRows = (lines: readonly string[]): string[][] => {
  const groups: string[][] = [];
  const cells: string[] = [];
  let width = 0;
  for (const line of lines) {
    if (line.trim() === "") {
      if (width === 0) width = cells.length;
      continue;
    }
    const parts = line.split(/(?:^|[ \t])[\d.+*]{0,6}[<^>]{0,2}[adehlmsv]?\|/);
    if (parts.length === 1 && cells.length > 0) cells[cells.length - 1] += ` ${line.trim()}`;
    else {
      if (parts.length > 2 && width === 0) width = parts.length - 1;
      for (const part of parts.slice(1)) cells.push(asciidocInline(part.trim()));
    }
  }
  const across = Math.max(width, 1);
  for (let at = 0; at < cells.length; at += across) groups.push(cells.slice(at, at + across));
  return groups;
};

const restInline = (text: string): string =>
  text
    .replace(/:[\w:+-]{1,60}:`([^`<>]{1,500})<([^<>`]{1,500})>`/g, (_, label: string) => label.trim())
    .replace(/:[\w:+-]{1,60}:`~?([^`]{1,500})`/g, "$1")
    .replace(/``([^`]{1,500})``/g, "`$1`")
    .replace(
      /`([^`<>]{1,500})<([a-z]{3,8}:\/\/[^<>\s]{1,2000}|mailto:[^<>\s]{1,500})>`__?/g,
      (_, label: string, url: string) => `[${label.trim()}](${url})`,
    )
    .replace(/`([^`]{1,500})`__?/g, "$1")
    .replace(/\|(\w[^|]{0,60})\|_?/g, "$1")
    .replace(/\[#?([\w*-]{1,40})\]_/g, "[^$1]");

const underline = /^([=\-`:.'"~^_*+#<>])\1{1,200}[ \t]*$/;
const notes: ReadonlySet<string> = new Set([
  "note",
  "tip",
  "important",
  "warning",
  "caution",
  "danger",
  "hint",
  "attention",
  "error",
  "seealso",
]);
const codeDirectives: ReadonlySet<string> = new Set([
  "code-block",
  "code",
  "sourcecode",
  "highlight",
  "parsed-literal",
  "literalinclude",
]);
const leftOut: ReadonlySet<string> = new Set([
  "toctree",
  "contents",
  "image",
  "figure",
  "index",
  "raw",
  "include",
  "meta",
  "role",
  "default-role",
  "highlight",
]);

/** reStructuredText. */
export const readRest = (text: string): Content => {
  const { lines, writer } = open(text);
  const levels: string[] = [];
  const end = () => endParagraph(writer, restInline);
  const heading = (said: string, sign: string) => {
    end();
    if (!levels.includes(sign)) levels.push(sign);
    writer.blocks.push({ kind: "heading", level: levels.indexOf(sign) + 1, text: restInline(said.trim()) });
  };
  /** The lines indented more than the markup before them. */
  const indented = (): string[] => {
    const taken: string[] = [];
    while (lines.at < lines.all.length && /^(?:[ \t]|$)/.test(lines.all[lines.at] as string))
      taken.push(lines.all[lines.at++] as string);
    return taken;
  };
  while (lines.at < lines.all.length) {
    const line = lines.all[lines.at++] as string;
    const next = lines.all[lines.at] ?? "";
    const directive = /^[ \t]{0,40}\.\.[ \t]{1,4}([\w:+-]{1,60})::/.exec(line);
    const item = /^([ \t]*)([-*+•]|\d{1,3}[.)]|#\.|\(\w{1,3}\))[ \t]+(\S.*)$/.exec(line);
    if (
      underline.test(line) &&
      underline.test(lines.all[lines.at + 1] ?? "") &&
      next.trim() !== "" &&
      line.trim() === (lines.all[lines.at + 1] ?? "").trim()
    ) {
      lines.at += 2;
      heading(next, `${line[0]}${line[0]}`);
    } else if (
      line.trim() !== "" &&
      !/^[ \t]/.test(line) &&
      underline.test(next) &&
      next.trim().length >= Math.min(line.trim().length, 3)
    ) {
      lines.at++;
      heading(line, next[0] ?? "");
    } else if (/^[ \t]*\+[-=+]{3,}\+[ \t]*$/.test(line)) {
      end();
      const rows = [line, ...takeWhile(lines, (one) => /^[ \t]*[+|]/.test(one))];
      writer.blocks.push({ kind: "table", rows: gridTable(rows) });
    } else if (/^[ \t]*=+(?:[ \t]+=+)+[ \t]*$/.test(line)) {
      end();
      writer.blocks.push({ kind: "table", rows: simpleTable(line, lines) });
    } else if (directive) {
      end();
      const [, name = ""] = directive;
      const argument = line.slice(directive[0].length).trim();
      const body = indented();
      const options = body.findIndex((one) => !/^[ \t]{1,40}:[\w-]{1,60}:/.test(one));
      const inside = withoutIndent(body.slice(Math.max(options, 0)));
      const kind = name.replace(/^.*:/, "").toLowerCase();
      if (codeDirectives.has(kind))
        writer.blocks.push({ kind: "code", language: /^[\w+#-]{1,20}$/.test(argument) ? argument : "", text: inside });
      else if (leftOut.has(kind)) {
        const told = body.map((one) => /^[ \t]+:(?:alt|caption):[ \t]*(\S.*)$/.exec(one)?.[1]).find(Boolean);
        if (told) writer.blocks.push({ kind: "paragraph", text: restInline(told) });
        if (kind === "figure") writer.blocks.push(...readRest(inside).blocks);
      } else if (kind === "csv-table" || kind === "list-table") {
        if (argument !== "") writer.blocks.push({ kind: "paragraph", text: restInline(argument) });
        const head = body.map((one) => /^[ \t]+:header:[ \t]*(\S.*)$/.exec(one)?.[1]).find(Boolean);
        const rows = kind === "list-table" ? listTable(inside) : csvRows(`${head ?? ""}\n${inside}`);
        writer.blocks.push({ kind: "table", rows: rows.map((row) => row.map((cell) => restInline(cell.trim()))) });
      } else {
        const label = notes.has(kind) ? `${capital(kind === "seealso" ? "see also" : kind)}: ` : "";
        const said = readRest(
          argument === "" ? inside : `${argument}\n${inside.trim() === "" ? "" : `\n${inside}`}`,
        ).blocks;
        const first = said[0];
        if (label !== "" && first?.kind === "paragraph") first.text = label + first.text;
        writer.blocks.push(...said);
      }
    } else if (/^[ \t]*\.\.[ \t]+_[^:]{1,200}:/.test(line) || /^[ \t]*\.\.(?:[ \t]|$)/.test(line)) {
      end();
      const note = /^[ \t]*\.\.[ \t]+\[#?([\w*-]{1,40})\][ \t]+(\S.*)$/.exec(line);
      if (note) writer.blocks.push({ kind: "paragraph", text: `[^${note[1]}]: ${restInline(note[2] ?? "")}` });
      else if (!/^[ \t]*\.\.[ \t]+[_|]/.test(line)) indented();
    } else if (line.trim() === "") end();
    else if (item && !(writer.paragraph.length > 0 && /^\d|^\(/.test(item[2] ?? ""))) {
      end();
      const depth = Math.min(Math.floor((item[1] ?? "").length / 2), 6);
      const isNumbered = /[\d#(]/.test((item[2] ?? "")[0] ?? "");
      const more = takeWhile(
        lines,
        (one) => /^[ \t]+\S/.test(one) && !/^[ \t]*([-*+•]|\d{1,3}[.)]|#\.)[ \t]/.test(one),
      );
      const said = [item[3] ?? "", ...more.map((one) => one.trim())].join(" ");
      writer.blocks.push({ kind: "item", depth, marker: isNumbered ? "1." : "-", text: restInline(said) });
    } else if (/::[ \t]*$/.test(line) && next.trim() === "") {
      const said = line.replace(/::[ \t]*$/, "").trim();
      if (said !== "") writer.paragraph.push(`${said}:`);
      end();
      const code = withoutIndent(indented());
      if (code.trim() !== "") writer.blocks.push({ kind: "code", language: "", text: code.replace(/^\n+/, "") });
    } else if (!/^[ \t]*:[\w -]{1,60}:[ \t]*$/.test(line))
      writer.paragraph.push(line.trim().replace(/^:([\w -]{1,60}):[ \t]/, "$1: "));
  }
  end();
  return contentOf(writer, null);
};

const csvRows = (text: string): string[][] =>
  Papa.parse<string[]>(text.trim().replace(/,[ \t]{1,20}(?=")/g, ","), {
    delimiter: ",",
    skipEmptyLines: true,
  }).data.map((row) => row.map(String));

/** A table whose rows are items of a list, and whose cells are items inside those. */
const listTable = (text: string): string[][] => {
  const rows: string[][] = [];
  for (const line of text.split("\n")) {
    const [, mark, said = ""] = /^[ \t]*(\*[ \t]+-|-)(?:[ \t]+(\S.*))?$/.exec(line) ?? [];
    const last = rows.at(-1);
    if (mark?.startsWith("*")) rows.push([said]);
    else if (mark !== undefined) last?.push(said);
    else if (last && line.trim() !== "") last[last.length - 1] = `${last.at(-1)} ${line.trim()}`;
  }
  return rows;
};

const takeWhile = (lines: Lines, test: (line: string) => boolean): string[] => {
  const taken: string[] = [];
  while (lines.at < lines.all.length && test(lines.all[lines.at] as string))
    taken.push(lines.all[lines.at++] as string);
  return taken;
};

const gridTable = (lines: readonly string[]): string[][] => {
  const rows: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    if (/^[ \t]*\+/.test(line)) {
      isOpen = false;
      continue;
    }
    const cells = line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => restInline(cell.trim()));
    const last = rows.at(-1);
    if (isOpen && last)
      cells.forEach((cell, column) => {
        last[column] = `${last[column] ?? ""} ${cell}`.trim();
      });
    else rows.push(cells);
    isOpen = true;
  }
  return rows;
};

const simpleTable = (border: string, lines: Lines): string[][] => {
  const starts = [...border.matchAll(/=+/g)].map(({ index }) => index);
  const rows: string[][] = [];
  const isBorder = (line: string) => /^[ \t]*[=-]+(?:[ \t]+[=-]+)*[ \t]*$/.test(line);
  let borders = 0;
  while (lines.at < lines.all.length && borders < 2) {
    const line = lines.all[lines.at++] as string;
    if (isBorder(line)) {
      if (/=/.test(line)) borders += rows.length > 0 && (lines.all[lines.at] ?? "").trim() === "" ? 2 : 1;
      continue;
    }
    if (line.trim() === "") continue;
    const cells = starts.map((start, index) => restInline(line.slice(start, starts[index + 1]).trim()));
    const last = rows.at(-1);
    if (cells[0] === "" && last)
      cells.forEach((cell, column) => {
        last[column] = `${last[column] ?? ""} ${cell}`.trim();
      });
    else rows.push(cells);
  }
  return rows;
};

const orgInline = (text: string): string =>
  text
    .replace(/\[\[([^[\]]{1,2000})\]\[([^[\]]{1,500})\]\]/g, (_, url: string, label: string) =>
      /^[a-z]{3,8}:\/\//.test(url) ? `[${label}](${url})` : label,
    )
    .replace(/\[\[([^[\]]{1,2000})\]\]/g, "$1")
    .replace(/[<[](\d{4}-\d{2}-\d{2})((?: [^<>[\]]{1,40})?)[>\]]/g, "$1$2")
    .replace(/\[fn:([\w-]{1,40})\]/g, "[^$1]")
    .replace(/(^|[\s(])[=~]([^\s=~][^=~]{0,300})[=~](?=$|[\s.,;:!?)])/g, "$1`$2`")
    .replace(/(^|[\s(])\*([^\s*][^*]{0,300})\*(?=$|[\s.,;:!?)])/g, "$1**$2**")
    .replace(/(^|[\s(])\/([^\s/][^/]{0,300})\/(?=$|[\s.,;:!?)])/g, "$1*$2*");

/** A heading and the tags at its end: `Plans :home:garden:`. */
const withTagsApart = (heading: string): { said: string; tags: string[] } => {
  const said = heading.trim();
  const last = said.slice(said.lastIndexOf(" ") + 1);
  const isTags = last.length > 2 && last.length < 100 && /^:[\p{L}\p{N}_@#%:]+:$/u.test(last);
  return isTags
    ? { said: said.slice(0, -last.length).trim(), tags: last.split(":").filter(Boolean) }
    : { said, tags: [] };
};

/** Emacs Org. */
export const readOrg = (text: string): Content => {
  const { lines, writer } = open(text);
  let title: string | null = null;
  const end = () => endParagraph(writer, orgInline);
  while (lines.at < lines.all.length) {
    const line = lines.all[lines.at++] as string;
    const heading = /^(\*{1,8})[ \t]+(\S.*)$/.exec(line);
    const block = /^[ \t]*#\+BEGIN_(\w{1,20})[ \t]*([\w+#-]{0,20})/i.exec(line);
    const keyword = /^[ \t]{0,40}#\+([\w-]{1,40}):/.exec(line);
    const item = /^([ \t]*)([-+]|\d{1,3}[.)])[ \t]+(\S.*)$/.exec(line);
    if (heading) {
      end();
      const { said, tags } = withTagsApart((heading[2] ?? "").replace(/^((?:TODO|DONE|NEXT) )?\[#[A-C]\]/, "$1"));
      writer.blocks.push({ kind: "heading", level: (heading[1] ?? "").length, text: orgInline(said) });
      if (tags.length > 0) writer.blocks.push({ kind: "paragraph", text: `Tags: ${tags.join(", ")}` });
    } else if (block) {
      end();
      const [, kind = "", language = ""] = block;
      const inside = takeUntil(lines, (one) => one.trim().toLowerCase().startsWith(`#+end_${kind.toLowerCase()}`));
      if (/^(src|example|verse|export)$/i.test(kind))
        writer.blocks.push({
          kind: "code",
          language: /^src$/i.test(kind) ? language : "",
          text: withoutIndent(inside),
        });
      else if (/^quote$/i.test(kind)) writer.blocks.push({ kind: "quote", text: orgInline(inside.join("\n")) });
      else if (!/^comment$/i.test(kind)) writer.blocks.push(...readOrg(inside.join("\n")).blocks);
    } else if (keyword) {
      end();
      const name = (keyword[1] ?? "").toLowerCase();
      if (name === "title") {
        title = line.slice(keyword[0].length).trim();
        writer.blocks.push({ kind: "heading", level: 1, text: orgInline(line.slice(keyword[0].length).trim()) });
      } else if (name === "caption")
        writer.blocks.push({ kind: "paragraph", text: orgInline(line.slice(keyword[0].length).trim()) });
    } else if (/^[ \t]*:(?:PROPERTIES|LOGBOOK|[A-Z_]{2,30}):[ \t]*$/.test(line)) {
      end();
      takeUntil(lines, (one) => /^[ \t]*:END:[ \t]*$/i.test(one));
    } else if (/^[ \t]*\|/.test(line)) {
      end();
      const rows = [line, ...takeWhile(lines, (one) => /^[ \t]*\|/.test(one))].filter(
        (one) => !/^[ \t]*\|[-+]/.test(one),
      );
      writer.blocks.push({
        kind: "table",
        rows: rows.map((row) =>
          row
            .trim()
            .replace(/^\||\|$/g, "")
            .split("|")
            .map((cell) => orgInline(cell.trim())),
        ),
      });
    } else if (line.trim() === "" || /^[ \t]*#(?:[ \t]|$)/.test(line)) end();
    else if (/^\[fn:[\w-]{1,40}\]/.test(line)) {
      end();
      writer.paragraph.push(line.replace("]", "]:"));
    } else if (item) {
      end();
      const depth = Math.min(Math.floor((item[1] ?? "").length / 2), 6);
      const more = takeWhile(lines, (one) => /^[ \t]+\S/.test(one) && !/^[ \t]*([-+]|\d{1,3}[.)])[ \t]/.test(one));
      const said = [item[3] ?? "", ...more.map((one) => one.trim())].join(" ");
      writer.blocks.push({ kind: "item", depth, marker: /\d/.test(item[2] ?? "") ? "1." : "-", text: orgInline(said) });
    } else writer.paragraph.push(line.trim());
  }
  end();
  return contentOf(writer, title);
};
