import Papa from "papaparse";
import { type Block, type Content, createIndents } from "../blocks/blocks.ts";
import { loweredText, raisedText, tidyTitle } from "../blocks/tidy-text.ts";

/**
 * reStructuredText and Org as Markdown. Each is read line by line: headings, lists, tables, code, notes and
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

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();

const restInline = (text: string): string =>
  text
    .replace(
      /:sup(?:erscript)?:`([^`]{1,100})`|`([^`]{1,100})`:sup(?:erscript)?:/g,
      (_, one = "", two = "", at: number) =>
        raisedText(one || two, text.slice(Math.max(at - 12, 0), at).replace(/\\ $/, "")),
    )
    .replace(/:sub(?:script)?:`([^`]{1,100})`|`([^`]{1,100})`:sub(?:script)?:/g, (_, one = "", two = "") =>
      loweredText(one || two),
    )
    .replace(/:math:`([^`]{1,1000})`/g, "$$$1$$")
    .replace(/`([^`]{1,1000})`:math:/g, "$$$1$$")
    .replace(/:[\w:+-]{1,60}:`([^`<>]{1,500})<([^<>`]{1,500})>`/g, (_, label: string) => label.trim())
    .replace(/:[\w:+-]{1,60}:`~?([^`]{1,500})`/g, "$1")
    .replace(/``([^`]{1,500})``/g, "`$1`")
    .replace(
      /`([^`<>]{1,500})<([a-z]{3,8}:\/\/[^<>\s]{1,2000}|mailto:[^<>\s]{1,500})>`__?/g,
      (_, label: string, url: string) => `[${label.trim()}](${url})`,
    )
    .replace(/`([^`]{1,500})`__?/g, "$1")
    .replace(/\|(\w[^|]{0,60})\|_?/g, "$1")
    .replace(/\[#?([\w*-]{1,40})\]_/g, "[^$1]")
    .replace(/\b([\w-]{1,60})__?(?=[\s.,;:!?)]|$)/g, "$1")
    .replace(/\\(?: |$)/g, "");

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

/** What an item of a list begins with: a bullet, a number, or a letter in order. */
const restItem =
  /^([ \t]*)([-*+•]|\d{1,3}[.)]|#\.|\((?:\d{1,3}|[a-z]|[ivx]{1,5}|#)\)|[A-Za-z][.)]|[ivx]{1,5}[.)])[ \t]+(\S.*)$/;

/** `A. Smith` begins no list: below a letter stands another item, more of this one, or nothing. */
const isRestItem = (line: string, next: string): boolean => {
  const mark = restItem.exec(line)?.[2];
  return mark !== undefined && (!/^[A-Za-z]/.test(mark) || /^[ \t]|^$/.test(next) || restItem.test(next));
};

/** reStructuredText. */
export const readRest = (source: string): Content => {
  const replaced = new Map<string, string>();
  for (const [, name = "", said = ""] of source.matchAll(
    /^[ \t]{0,8}\.\. \|(\w[^|\n]{0,60})\| replace::[ \t]{1,8}(\S[^\n]{0,500})$/gm,
  ))
    replaced.set(name, said);
  const text = source.replace(
    /\|(\w[^|\n]{0,60})\|(?! replace::)/g,
    (whole, name: string) => replaced.get(name) ?? whole,
  );
  const { lines, writer } = open(text);
  const numbers: number[] = [];
  const indents = createIndents();
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
    const item = isRestItem(line, next) ? restItem.exec(line) : null;
    const field = /^[ \t]{0,8}:([\w][\w /.-]{0,60}):(?:[ \t]+(\S.*))?$/.exec(line);
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
      else if (kind === "math")
        writer.blocks.push({ kind: "verbatim", text: `$$\n${`${argument}\n${inside}`.trim()}\n$$` });
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
      const note = /^[ \t]*\.\.[ \t]+\[#?([\w*-]{1,40})\](?:[ \t]+(\S.*))?$/.exec(line);
      if (note) {
        const said = [note[2] ?? "", ...indented()].map((one) => one.trim()).filter((one) => one !== "");
        writer.blocks.push({ kind: "paragraph", text: `[^${note[1]}]: ${restInline(said.join(" "))}` });
      } else if (!/^[ \t]*\.\.[ \t]+[_|]/.test(line) && !(/^[ \t]*\.\.[ \t]*$/.test(line) && next.trim() === ""))
        indented();
    } else if (line.trim() === "") end();
    else if (item && !(writer.paragraph.length > 0 && !/^[-*+•]/.test(item[2] ?? ""))) {
      end();
      const depth = indents.depthAt((item[1] ?? "").length, 0);
      if (writer.blocks.at(-1)?.kind !== "item") numbers.length = 0;
      numbers.length = depth + 1;
      numbers[depth] = (numbers[depth] ?? 0) + 1;
      const mark = (item[2] ?? "").replace("#", String(numbers[depth]));
      const more = takeWhile(lines, (one) => /^[ \t]+\S/.test(one) && !restItem.test(one));
      const said = [item[3] ?? "", ...more.map((one) => one.trim())].join(" ");
      writer.blocks.push({ kind: "item", depth, marker: /^[-*+•]/.test(mark) ? "-" : mark, text: restInline(said) });
    } else if (field && (field[2] !== undefined || /^[ \t]+\S/.test(next))) {
      end();
      const indent = line.length - line.trimStart().length;
      const more = takeWhile(lines, (one) => /\S/.test(one) && one.length - one.trimStart().length > indent);
      const said = [field[2] ?? "", ...more.map((one) => one.trim())];
      writer.blocks.push({ kind: "paragraph", text: restInline(`${field[1]}: ${said.join(" ").trim()}`) });
    } else if (/^[ \t]*\|[ \t]\S/.test(line)) {
      end();
      const block = [line, ...takeWhile(lines, (one) => /^[ \t]*\|(?:[ \t]|$)/.test(one))];
      const said = block.map((one) => restInline(one.trim().slice(1).trim())).join("\n");
      writer.blocks.push({ kind: "paragraph", text: said });
    } else if (/^[ \t]+\S/.test(line) && writer.paragraph.length <= 1 && !/::[ \t]*$/.test(line)) {
      // Below one line, what that means; below a list, more of its last item; else a quote.
      const isTerm = writer.paragraph.length === 1;
      end();
      lines.at--;
      const inside = readRest(withoutIndent(indented())).blocks;
      const last = writer.blocks.at(-1);
      const only = inside.length === 1 ? inside[0] : undefined;
      if (!isTerm && last?.kind === "item" && only?.kind === "paragraph") last.text += `\n${only.text}`;
      else if (!isTerm && last?.kind !== "item" && only?.kind === "paragraph")
        writer.blocks.push({ kind: "quote", text: only.text });
      else writer.blocks.push(...inside);
    } else if (/::[ \t]*$/.test(line) && next.trim() === "") {
      const said = line.replace(/::[ \t]*$/, "").trim();
      if (said !== "") writer.paragraph.push(`${said}:`);
      end();
      const code = withoutIndent(indented());
      if (code.trim() !== "") writer.blocks.push({ kind: "code", language: "", text: code.replace(/^\n+/, "") });
    } else if (field === null) writer.paragraph.push(line.trim());
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

/** A table whose cells are drawn: a cell ends at the signs of its border, and may go over several rows or columns. */
const gridTable = (lines: readonly string[]): string[][] => {
  const drawn = lines.map((line) => line.trim());
  const borders = drawn.filter((line) => line.startsWith("+"));
  const places = [...new Set(borders.flatMap((line) => [...line.matchAll(/\+/g)].map(({ index }) => index)))].sort(
    (one, other) => one - other,
  );
  const columns = places.slice(0, -1).map((from, column) => ({ from, to: places[column + 1] ?? from }));
  const rows: string[][] = [];
  let cells: string[][] = columns.map(() => []);
  for (const line of drawn.slice(1)) {
    const ends = columns.map(({ from, to }) => /^[-=]+$/.test(line.slice(from + 1, to)));
    if (ends.some(Boolean)) {
      rows.push(cells.map((said) => restInline(said.join(" ").replace(/(^|\s)\|\s/g, "$1"))));
      cells = cells.map((said, column) => (ends[column] ? [] : said));
    }
    for (let column = 0; column < columns.length; column++) {
      if (ends[column]) continue;
      const first = column;
      while (column < columns.length - 1 && !/[|+]/.test(line[places[column + 1] ?? 0] ?? "")) column++;
      const said = line.slice((places[first] ?? 0) + 1, places[column + 1]).trim();
      if (said !== "") cells[first]?.push(said);
    }
  }
  return rows.filter((row) => row.some((cell) => cell !== ""));
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
    .replace(/\\[()]/g, "$$")
    .replace(/(?<=[^\s^])\^\{([^{}]{1,40})\}/g, (_, said: string, at: number, whole: string) =>
      raisedText(said, whole.slice(0, at)),
    )
    .replace(/(?<=[^\s_])_\{([^{}]{1,40})\}/g, (_, said: string) => loweredText(said))
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

const orgItem = /^([ \t]*)([-+]|\d{1,3}[.)]|[a-zA-Z][.)])[ \t]+(\S.*)$/;

/** Emacs Org. */
export const readOrg = (text: string): Content => {
  const { lines, writer } = open(text);
  const indents = createIndents();
  let title: string | null = null;
  const end = () => endParagraph(writer, orgInline);
  while (lines.at < lines.all.length) {
    const line = lines.all[lines.at++] as string;
    const heading = /^(\*{1,8})[ \t]+(\S.*)$/.exec(line);
    const block = /^[ \t]*#\+BEGIN_(\w{1,20})[ \t]*([\w+#-]{0,20})/i.exec(line);
    const keyword = /^[ \t]{0,40}#\+([\w-]{1,40}):/.exec(line);
    const item = orgItem.exec(line);
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
      } else if (name === "caption" || name === "author" || name === "subtitle")
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
      if (writer.blocks.at(-1)?.kind !== "item") indents.reset();
      const depth = indents.depthAt((item[1] ?? "").length, 0);
      const more = takeWhile(lines, (one) => /^[ \t]+\S/.test(one) && !orgItem.test(one));
      const said = [item[3] ?? "", ...more.map((one) => one.trim())].join(" ").replace(/ ::(?= |$)/, ":");
      const mark = item[2] ?? "";
      writer.blocks.push({ kind: "item", depth, marker: /^[-+]/.test(mark) ? "-" : mark, text: orgInline(said) });
    } else writer.paragraph.push(line.trim());
  }
  end();
  return contentOf(writer, title);
};
