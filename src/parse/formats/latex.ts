import type { Block, Content } from "../blocks/blocks.ts";
import { type GridCell, gridRows } from "../blocks/grid.ts";
import { listNumber } from "../blocks/list-numbers.ts";
import { loweredText, oneLine, pairsIn, raisedText, tidyTitle } from "../blocks/tidy-text.ts";

const levels: Readonly<Record<string, number>> = {
  part: 1,
  chapter: 1,
  section: 2,
  subsection: 3,
  subsubsection: 4,
  paragraph: 5,
  subparagraph: 6,
};
/** Commands that go with all that they are given. */
const withoutArguments =
  /^(?:documentclass|usepackage|label|ref|pageref|cite[a-z]*|bibliography|bibliographystyle|includegraphics|vspace|hspace|setlength|newcommand|renewcommand|pagestyle|thispagestyle|input|include|hyphenation|geometry|hypersetup|index|cline|cmidrule|definecolor|color|DeclareMathOperator|setcounter|addtocounter|graphicspath)\*?$/;
const accentMarks = pairsIn(
  "\":\u0308 ':\u0301 `:\u0300 ^:\u0302 ~:\u0303 =:\u0304 .:\u0307 c:\u0327 v:\u030c u:\u0306 H:\u030b k:\u0328 r:\u030a",
);
const symbols = pairsIn(
  "ss:ß ae:æ AE:Æ oe:œ OE:Œ o:ø O:Ø aa:å AA:Å l:ł L:Ł i:i " +
    "ldots:… dots:… textendash:– textemdash:— textbackslash:\\ textasciitilde:~ euro:€ pounds:£ S:§ copyright:© degree:° LaTeX:LaTeX TeX:TeX",
);
/** Units and their prefixes as siunitx names them; a name that is not here, such as `mm`, is the sign itself. */
const units = pairsIn(
  "metre:m meter:m gram:g second:s minute:min hour:h day:d litre:L liter:L ampere:A kelvin:K mole:mol " +
    "candela:cd hertz:Hz newton:N pascal:Pa joule:J watt:W volt:V ohm:Ω farad:F tesla:T electronvolt:eV tonne:t " +
    "hectare:ha percent:% celsius:°C degreeCelsius:°C degree:° angstrom:Å bel:B um:µm uL:µL ug:µg us:µs pico:p " +
    "nano:n micro:µ milli:m centi:c deci:d hecto:h kilo:k mega:M giga:G tera:T per:/ squared:² square:² cubed:³ " +
    "cubic:³ of:",
);

/** A unit in signs: `\\kilo\\metre\\per\\hour` is km/h. */
const unitOf = (text: string): string =>
  text
    .replace(/\\(square|cubic)\s{0,9}\\(\w{1,40})/g, "\\$2\\$1")
    .replace(/\\([A-Za-z]{1,40})\s{0,9}|~|[{}]/g, (_, name = "") => units.get(name) ?? name)
    .replace(/\^(-?\d)/g, (_, digit: string) => raisedText(digit, ""))
    .replace(/(?<=\p{L})\.(?=\p{L})/gu, "·")
    .trim();

const maxDepth = 40;

/** LaTeX: title, headings, lists, tables, notes and formulas (as they are written); commands of layout go. */
export const readLatex = (text: string): Content => {
  const source = withoutComments(text.replace(/\r\n?/g, "\n")).replace(
    /\\verb\*?([^\sA-Za-z*])([^\n]{0,500}?)\1/g,
    (_, _sign: string, code: string) => `\\texttt{${code.replace(/[\\{}%$&#_~^]/g, "\\$&")}}`,
  );
  const begin = source.indexOf("\\begin{document}");
  const end = source.indexOf("\\end{document}");
  const preamble = begin < 0 ? "" : source.slice(0, begin);
  const written = withoutMinipages(
    begin < 0 ? source : source.slice(begin + "\\begin{document}".length, end < begin ? source.length : end),
  );
  const body = withMacros(written, macrosIn(source));
  const notes: string[] = [];
  const title = inlineOf(argumentOf(preamble, "title") ?? argumentOf(body, "title") ?? "", notes);
  const blocks: Block[] = title === "" ? [] : [{ kind: "heading", level: 1, text: title }];
  for (const name of ["author", "date"]) {
    const said = inlineOf(argumentOf(preamble, name) ?? argumentOf(body, name) ?? "", notes);
    if (said !== "") blocks.push({ kind: "paragraph", text: said });
  }
  blocks.push(...bodyOf(body, notes, 0));
  for (const [index, note] of notes.entries()) blocks.push({ kind: "paragraph", text: `[^${index + 1}]: ${note}` });
  return { title: tidyTitle(title), blocks, warnings: [] };
};

/** The text without its comments, but for what is printed as it stands. */
const withoutComments = (text: string): string => {
  let plain = "";
  let literal: string | null = null;
  for (const line of text.split("\n")) {
    literal ??= /\\begin\{(verbatim|lstlisting|minted|Verbatim)\*?\}/.exec(line)?.[1] ?? null;
    const comment = literal === null ? /(?<!\\)%/.exec(line) : null;
    plain += comment ? line.slice(0, comment.index) : `${line}\n`;
    if (literal !== null && line.includes(`\\end{${literal}`)) literal = null;
  }
  return plain;
};

interface Macro {
  parameters: number;
  text: string;
}

const maxMacros = 1_000;
const maxMacroParameters = 9;

/** The commands that the author has defined, by their names. */
const macrosIn = (text: string): Map<string, Macro> => {
  const macros = new Map<string, Macro>();
  const definition =
    /\\(?:(?:re|provide)?newcommand|providecommand|def)\*?[ \t]{0,20}\{?\\([A-Za-z]{1,40})\}?(?:\[(\d)\])?[ \t\n]{0,20}(?=\{)/g;
  for (const { 0: whole, 1: name = "", 2: parameters = "0", index } of text.matchAll(definition)) {
    const group = groupAt(text, index + whole.length);
    if (group !== null && macros.size < maxMacros)
      macros.set(name, { parameters: Math.min(Number(parameters), maxMacroParameters), text: group.inside });
  }
  return macros;
};

/** Macros may name others so often, and make so much text in all. */
const maxMacroDepth = 5;
const maxMacroCharacters = 1_000_000;

/** The text with the author's own commands written out, each with what it is given. */
const withMacros = (
  text: string,
  macros: ReadonlyMap<string, Macro>,
  budget = { left: maxMacroCharacters },
  depth = 0,
): string => {
  if (macros.size === 0 || depth > maxMacroDepth) return text;
  let out = "";
  let from = 0;
  const finder = /\\([A-Za-z]{1,40})(?![A-Za-z])/g;
  for (let found = finder.exec(text); found !== null; found = finder.exec(text)) {
    const macro = macros.get(found[1] ?? "");
    if (
      macro === undefined ||
      /\\(?:newcommand|renewcommand|def)\*?\{?$/.test(text.slice(Math.max(0, found.index - 20), found.index))
    )
      continue;
    const given: string[] = [];
    let end = finder.lastIndex;
    while (given.length < macro.parameters) {
      const group = groupAt(text, skipBlanks(text, end));
      if (group === null) break;
      given.push(group.inside);
      end = group.end;
    }
    const said = macro.text.replace(/#(\d)/g, (_, number: string) => given[Number(number) - 1] ?? "");
    budget.left -= said.length;
    if (budget.left < 0) break;
    out += text.slice(from, found.index) + withMacros(said, macros, budget, depth + 1);
    from = end;
    finder.lastIndex = end;
  }
  return out + text.slice(from);
};

const argumentOf = (text: string, command: string): string | null => {
  for (let at = text.indexOf(command); at >= 0; at = text.indexOf(command, at + 1)) {
    if (text[at - 1] !== "\\") continue;
    const brace = braceAfter(text, at + command.length);
    if (brace >= 0) return groupAt(text, brace)?.inside ?? null;
  }
  return null;
};

const maxOptionCharacters = 500;

/** Where the brace of a command opens, behind white space and an option in brackets; -1 where none does. */
const braceAfter = (text: string, start: number): number => {
  const afterSpace = (at: number): number => {
    let next = at;
    while (next < text.length && /\s/.test(text[next] ?? "")) next++;
    return next;
  };
  let at = afterSpace(start);
  if (text[at] === "[") {
    const end = text.slice(at, at + maxOptionCharacters + 2).indexOf("]");
    if (end < 0) return -1;
    at = afterSpace(at + end + 1);
  }
  return text[at] === "{" ? at : -1;
};

const maxGroupCharacters = 100_000;

/** What stands between the brace at a place and the one that closes it. */
const groupAt = (text: string, start: number): { inside: string; end: number } | null => {
  if (text[start] !== "{") return null;
  let depth = 0;
  for (let at = start; at < Math.min(text.length, start + maxGroupCharacters); at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return { inside: text.slice(start + 1, at), end: at + 1 };
  }
  return null;
};

const bodyOf = (text: string, notes: string[], depth: number): Block[] => {
  const blocks: Block[] = [];
  const finder =
    /\\begin\{([A-Za-z]{1,30}\*?)\}|\\(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\b\*?|\n[ \t]{0,80}\n|\\par\b|\\\[|\$\$/g;
  let from = 0;
  const paragraph = (end: number) => {
    const said = inlineOf(text.slice(from, end), notes);
    if (said !== "") blocks.push({ kind: "paragraph", text: said });
  };
  for (let found = finder.exec(text); found !== null; found = finder.exec(text)) {
    const [whole, name, heading] = found;
    paragraph(found.index);
    from = finder.lastIndex;
    if (heading !== undefined) {
      const group = groupAt(text, braceAfter(text, finder.lastIndex));
      if (group === null) continue;
      blocks.push({ kind: "heading", level: levels[heading] ?? 2, text: inlineOf(group.inside, notes) });
      from = group.end;
    } else if (whole === "\\[" || whole === "$$") {
      const end = text.indexOf(whole === "$$" ? "$$" : "\\]", from);
      if (end < 0) continue;
      blocks.push({ kind: "verbatim", text: `$$\n${text.slice(from, end).trim()}\n$$` });
      from = end + 2;
    } else if (name !== undefined) {
      const end = endOf(text, name, from);
      blocks.push(...environmentBlocks(name, text.slice(from, end), notes, depth));
      from = Math.min(end + `\\end{${name}}`.length, text.length);
    }
    finder.lastIndex = from;
  }
  paragraph(text.length);
  return blocks;
};

/** Where the environment that is open ends; of the same name inside it, the last. */
const endOf = (text: string, name: string, from: number): number => {
  const [open, close] = [`\\begin{${name}}`, `\\end{${name}}`];
  let depth = 1;
  let at = from;
  while (at < text.length) {
    const [nextOpen, nextClose] = [text.indexOf(open, at), text.indexOf(close, at)];
    if (nextClose < 0) return text.length;
    if (nextOpen >= 0 && nextOpen < nextClose) {
      depth++;
      at = nextOpen + open.length;
    } else if (--depth === 0) return nextClose;
    else at = nextClose + close.length;
  }
  return text.length;
};

const environmentBlocks = (name: string, inside: string, notes: string[], depth: number): Block[] => {
  const kind = name.replace("*", "");
  if (depth > maxDepth) return [];
  if (/^(itemize|enumerate|description)$/.test(kind)) return listBlocks(kind, inside, notes, depth);
  if (/^(tabular|tabularx|longtable|array|tabulary)$/.test(kind)) return tableBlocks(kind, inside, notes);
  if (/^(verbatim|lstlisting|minted|Verbatim)$/.test(kind))
    return [
      {
        kind: "code",
        language: "",
        text: inside.replace(/^\[[^\]\n]{0,500}\]|^\{[^}\n]{0,40}\}/, "").replace(/^\n/, ""),
      },
    ];
  if (/^(equation|align|gather|multline|eqnarray|displaymath|math)$/.test(kind)) {
    const formula = inside.replace(/\\label\{[^}]{0,200}\}/g, "").trim();
    return [{ kind: "verbatim", text: `$$\n${formula}\n$$` }];
  }
  if (/^(tikzpicture|thebibliography|comment|picture)$/.test(kind))
    return kind === "thebibliography"
      ? bodyOf(
          inside
            .replace(/^\s{0,9}\{[^}]{0,50}\}/, "")
            .replace(/\\bibitem(?:\[[^\]]{0,200}\])?\{([^}]{0,200})\}/g, "\n\n[$1] "),
          notes,
          depth + 1,
        )
      : [];
  if (/^(quote|quotation)$/.test(kind)) return [{ kind: "quote", text: inlineOf(inside, notes) }];
  const body = inside.replace(/^\[[^\]\n]{0,200}\]/, "");
  return bodyOf(captionsApart(body), notes, depth + 1);
};

/** A caption is a paragraph of its own. */
const captionsApart = (text: string): string => {
  const caption = "\\caption";
  let apart = "";
  let from = 0;
  for (let at = text.indexOf(caption); at >= 0; at = text.indexOf(caption, at + 1)) {
    const brace = braceAfter(text, at + caption.length);
    if (brace < 0) continue;
    apart += `${text.slice(from, at)}\n\n`;
    from = brace;
  }
  return apart + text.slice(from);
};

/** Numbers inside numbers are letters in brackets, and those inside them Roman. */
const nestedMarker = (marker: string): string => {
  const [, number, letter] = /^(?:(\d{1,3})\.|\(([a-z])\))$/.exec(marker) ?? [];
  if (number !== undefined) return `(${listNumber(Number(number), "lowerLetter")})`;
  return letter === undefined ? marker : `${listNumber(letter.charCodeAt(0) - "a".charCodeAt(0) + 1, "lowerRoman")}.`;
};

const listBlocks = (kind: string, inside: string, notes: string[], depth: number): Block[] => {
  const blocks: Block[] = [];
  const marks = /\\begin\{(?:itemize|enumerate|description)\}|\\end\{(?:itemize|enumerate|description)\}|\\item\b/g;
  const starts: number[] = [];
  let nested = 0;
  for (const { 0: mark, index } of inside.matchAll(marks)) {
    if (mark.startsWith("\\begin")) nested++;
    else if (mark.startsWith("\\end")) nested--;
    else if (nested === 0) starts.push(index);
  }
  // `\\setcounter{enumi}{3}`: the list begins with the next number.
  const first = Number(/\\setcounter\{enum\w{1,3}\}\{(\d{1,4})\}/.exec(inside.slice(0, starts[0] ?? 0))?.[1] ?? 0) + 1;
  starts.forEach((start, index) => {
    const item = inside.slice(start + "\\item".length, starts[index + 1]);
    const label = /^\s*\[([^\]]{0,300})\]/.exec(item);
    const said = bodyOf(label ? `${label[1]}: ${item.slice(label[0].length)}` : item, notes, depth + 1);
    said.forEach((block, place) => {
      if (block.kind === "paragraph" && place === 0)
        blocks.push({
          kind: "item",
          depth: 0,
          marker: kind === "enumerate" ? `${first + index}.` : "-",
          text: block.text,
        });
      else if (block.kind === "item")
        blocks.push({
          ...block,
          depth: block.depth + 1,
          marker: kind === "enumerate" ? nestedMarker(block.marker) : block.marker,
        });
      else blocks.push(block);
    });
  });
  return blocks;
};

/** A table; of a long one also its caption, which stands inside it. */
const tableBlocks = (kind: string, inside: string, notes: string[]): Block[] => {
  const captions: Block[] = [];
  const parts: string[] = [];
  let from = 0;
  const endAfter = (place: number, command: string) => {
    const at = skipBlanks(inside, place);
    return inside.startsWith(command, at) ? at + command.length : null;
  };
  for (let at = inside.indexOf("\\caption"); at >= 0; at = inside.indexOf("\\caption", from)) {
    const group = groupAt(inside, braceAfter(inside, at + "\\caption".length));
    const said = inlineOf(group?.inside ?? "", notes);
    if (said !== "" && captions.length === 0) captions.push({ kind: "paragraph", text: said });
    parts.push(inside.slice(from, at));
    from = group?.end ?? at + "\\caption".length;
    const label = endAfter(from, "\\label");
    if (label !== null) from = groupAt(inside, label)?.end ?? label;
    from = endAfter(from, "\\tabularnewline") ?? endAfter(from, "\\\\") ?? from;
  }
  const body = parts.join("") + inside.slice(from);
  const rows = rowsOf(body, notes, /^(?:tabularx|tabulary)$/.test(kind) ? 2 : 1);
  return [...captions, { kind: "table", rows }];
};

/** What a long table shows anew on each page stands in it more than once: the first head and the last foot stay. */
const withoutRepeatedHead = (inside: string): string => {
  const first = inside.indexOf("\\endfirsthead");
  const head = inside.lastIndexOf("\\endhead");
  const foot = inside.lastIndexOf("\\endlastfoot");
  const start = first < 0 ? Math.max(head, 0) : first;
  const body = Math.max(head, first, foot < 0 ? inside.lastIndexOf("\\endfoot") : foot);
  if (body < 0) return inside;
  const last = foot < 0 ? "" : inside.slice(Math.max(inside.lastIndexOf("\\endfoot"), head), foot);
  return `${inside.slice(0, start)}${inside.slice(body)}${last}`;
};

/** A page within a cell, whose lines are one text. */
const withoutMinipages = (text: string): string =>
  text
    .split("\\begin{minipage}")
    .map((part, index) => {
      const end = part.indexOf("\\end{minipage}");
      if (index === 0 || end < 0) return part;
      const width = groupAt(part, skipBlanks(part, 0))?.end ?? 0;
      const said = part.slice(width, end).replace(/\\(?:raggedright|raggedleft|centering|strut)(?![a-z])/g, "");
      return said.replace(/\\\\/g, " ") + part.slice(end + "\\end{minipage}".length);
    })
    .join("");

/** @param descriptions how many arguments stand before the rows */
const rowsOf = (inside: string, notes: string[], descriptions: number): string[][] => {
  // The columns' description, and for tabularx the width before it.
  let at = 0;
  for (let count = 0; count < descriptions; count++) at = groupAt(inside, skipBlanks(inside, at))?.end ?? at;
  const rows = withoutRepeatedHead(inside.slice(at))
    .split(/\\\\(?:\[[^\]]{0,40}\])?|\\tabularnewline\b/)
    .map((row) =>
      row.replace(
        /\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|noalign\{\})(?![a-z])/g,
        "",
      ),
    )
    .filter((row) => row.trim() !== "")
    .map((row) =>
      row.split(/(?<!\\)&/).map((cell): GridCell => {
        const across = spanIn(cell, "multicolumn");
        const down = spanIn(across?.said ?? cell, "multirow");
        return {
          text: inlineOf((down ?? across)?.said ?? cell, notes),
          columns: across?.count ?? 1,
          rows: down?.count ?? 1,
        };
      }),
    );
  return gridRows(withoutCoveredCells(rows));
};

/** What `\\multicolumn{2}{c}{text}` or `\\multirow[t]{2}{*}{text}` says, and over how many cells. */
const spanIn = (cell: string, command: string): { said: string; count: number } | null => {
  const at = cell.indexOf(`\\${command}`);
  if (at < 0) return null;
  const count = groupAt(cell, braceAfter(cell, at + command.length + 1));
  const format = count && groupAt(cell, skipBlanks(cell, count.end));
  const said = format && groupAt(cell, skipBlanks(cell, format.end));
  return said ? { said: said.inside, count: Math.abs(Number.parseInt(count.inside, 10)) || 1 } : null;
};

/** A cell over several rows has an empty one below it in each of them, which other formats do not have. */
const withoutCoveredCells = (rows: readonly GridCell[][]): GridCell[][] => {
  let covered = new Map<number, number>();
  return rows.map((row) => {
    const below = new Map<number, number>();
    for (const [column, left] of covered) if (left > 1) below.set(column, left - 1);
    let column = 0;
    const kept = row.filter((cell) => {
      const isCovered = (covered.get(column) ?? 0) > 0 && cell.text === "";
      if (!isCovered && cell.rows > 1)
        for (let at = column; at < column + cell.columns; at++) below.set(at, cell.rows - 1);
      column += cell.columns;
      return !isCovered;
    });
    covered = below;
    return kept;
  });
};

const skipBlanks = (text: string, from: number): number => {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  return text[at] === "[" ? skipBlanks(text, Math.max(text.indexOf("]", at) + 1, at + 1)) : at;
};

/** Text without its commands; formulas between dollars stay as they are. */
const inlineOf = (text: string, notes: string[], depth = 0): string => {
  if (depth > maxDepth) return "";
  let out = "";
  let at = 0;
  const inner = (inside: string) => inlineOf(inside, notes, depth + 1);
  while (at < text.length) {
    const sign = text[at] as string;
    if (sign === "$") {
      const end = text.indexOf("$", at + 1);
      if (end > at && end - at < 2_000) {
        // A power or an index that stands alone is no formula of its own.
        const [, sign, digits = ""] = /^\$([\^_])\{?([\dn+-]{1,4})\}?\$$/.exec(text.slice(at, end + 1)) ?? [];
        out +=
          sign === undefined ? text.slice(at, end + 1) : sign === "^" ? raisedText(digits, out) : loweredText(digits);
        at = end + 1;
      } else at++;
    } else if (sign === "~") {
      out += " ";
      at++;
    } else if (sign === "{" || sign === "}") at++;
    else if (sign !== "\\") {
      const next = text.slice(at).search(/[$~{}\\]/);
      const end = next < 0 ? text.length : at + Math.max(next, 1);
      out += text.slice(at, end);
      at = end;
    } else {
      const command = /^\\([A-Za-z]{1,40}\*?|[^A-Za-z])/.exec(text.slice(at, at + 44))?.[1] ?? "";
      at += command.length + 1;
      const isWord = /^[A-Za-z]/.test(command);
      const accent = accentMarks.get(command);
      if (accent !== undefined && (!isWord || text[skipBlanks(text, at)] === "{")) {
        const group = groupAt(text, at);
        const letter = group ? group.inside : (text[at] ?? "");
        out +=
          // `\^{}` is the sign itself.
          (letter === "" ? command : (letter.replace(/^\\([ij])$/, "$1").slice(0, 1) + accent).normalize("NFC")) +
          (group?.inside.replace(/^\\/, "").slice(1) ?? "");
        at = group ? group.end : at + 1;
        continue;
      }
      if (!isWord) {
        if (command === "\\") {
          out += "\n";
          at += /^\[[^\]]{0,40}\]/.exec(text.slice(at, at + 44))?.[0].length ?? 0;
        } else if (/[%&#_{}$]/.test(command)) out += command;
        else if (command === "(" || command === ")") out += "$";
        else if (/[,;:! ]/.test(command)) out += command === "!" ? "" : " ";
        continue;
      }
      const symbol = symbols.get(command);
      if (symbol !== undefined) {
        out += symbol;
        if (/^\{\}/.test(text.slice(at, at + 2))) at += 2;
        else if (/\s/.test(text[at] ?? "")) at++;
        continue;
      }
      const groups: string[] = [];
      for (
        let group = groupAt(text, skipBlanks(text, at));
        group !== null && groups.length < (/^(definecolor|multicolumn|fcolorbox)$/.test(command) ? 3 : 2);
        group = groupAt(text, skipBlanks(text, at))
      ) {
        groups.push(group.inside);
        at = group.end;
        if (
          !/^(href|textcolor|newcommand|renewcommand|setlength|setcounter|addtocounter|definecolor|multicolumn|fcolorbox|SI|qty)$/.test(
            command,
          )
        )
          break;
      }
      const [first = "", second] = groups;
      if (command === "footnote" || command === "thanks") {
        notes.push(inner(first));
        out += `[^${notes.length}]`;
      } else if (command === "href") out += `[${inner(second ?? "")}](${first.replace(/\\/g, "")})`;
      else if (command === "url" || command === "nolinkurl") out += first.replace(/\\/g, "");
      else if (/^(textbf|bfseries)$/.test(command) && first !== "") out += `**${inner(first)}**`;
      else if (/^(emph|textit)$/.test(command) && first !== "") out += `*${inner(first)}*`;
      else if (/^(SI|qty|si|unit)$/.test(command)) {
        const unit = unitOf(second ?? (/^(SI|qty)$/.test(command) ? "" : first));
        out += second === undefined ? unit : `${inner(first)}${/^[°%]$/.test(unit) ? "" : " "}${unit}`;
      } else if (/^text(?:super|sub)script$/.test(command))
        out += command === "textsuperscript" ? raisedText(inner(first), out) : loweredText(inner(first));
      else if (command === "and") out = `${out.trimEnd()},`;
      else if (command === "texttt" && first !== "") out += `\`${inner(first)}\``;
      else if (/^cite/.test(command) || command === "ref" || command === "eqref" || command === "autoref")
        out += first === "" ? "" : `[${first}]`;
      else if (/^(title|author|date|maketitle)$/.test(command) || withoutArguments.test(command)) continue;
      else out += inner(groups.at(-1) ?? "");
    }
  }
  return depth > 0
    ? out
    : out
        .split("\n")
        .map(oneLine)
        .filter((line) => line !== "")
        .join(" ")
        .replace(/---/g, "—")
        .replace(/--/g, "–")
        .replace(/``|''/g, '"');
};
