import type { Block } from "./blocks.ts";

/** Macros whose arguments are text: fonts, and headings of sections. */
const textMacro = /^\.\s*(SH|SS|B|I|BR|IR|RB|RI|BI|IB|SM|SB|IP|TP)\b ?(.*)$/;
const escapes: Record<string, string> = { "-": "-", e: "\\", "&": "", " ": " ", ",": "", "/": "", ":": "", "%": "" };
const named: Record<string, string> = { lq: "“", rq: "”", em: "—", en: "–", aq: "'", dq: '"', bu: "•", co: "©" };

/** Text without the escapes of roff: fonts, sizes, special characters. */
const plain = (text: string): string =>
  text
    .replace(/\\f(?:\[[^\]]{0,20}\]|\(..|.)/g, "")
    .replace(/\\s[-+]?\d/g, "")
    .replace(/\\\((..)|\\\[([^\]]{1,20})\]/g, (_, short, long) => named[short ?? long] ?? "")
    .replace(/\\(.)/g, (_, character) => escapes[character] ?? character)
    .replace(/"/g, " ")
    .replace(/\s+/g, " ")
    .trim();

/** The sections and paragraphs of a manual page in roff; tables and `mdoc` macros are left out. */
export const readManualPage = (source: string): Block[] => {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const end = (): void => {
    const text = plain(paragraph.join(" "));
    if (text !== "") blocks.push({ level: 0, text });
    paragraph = [];
  };
  for (const line of source.split("\n")) {
    if (!line.startsWith(".") && !line.startsWith("'")) {
      if (line.trim() === "") end();
      else paragraph.push(line);
      continue;
    }
    const [, macro, rest = ""] = textMacro.exec(line) ?? [];
    if (macro === "SH" || macro === "SS") {
      end();
      blocks.push({ level: macro === "SH" ? 2 : 3, text: plain(rest) });
    } else if (macro !== undefined && macro !== "IP" && macro !== "TP") paragraph.push(rest);
    else if (/^\.\s*(?:PP|P|LP|IP|TP|br|sp|RS|RE)\b/.test(line)) end();
  }
  end();
  return blocks;
};
