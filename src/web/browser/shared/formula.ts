import type { MarkedExtension, TokenizerAndRendererExtension, Tokens } from "marked";

/** TeX in the Markdown of a model: shown as it is written, so that Markdown does not eat its signs. */
interface FormulaToken extends Tokens.Generic {
  type: "formula" | "formulaBlock";
  text: string;
}

const delimiters = [
  ["$$", "$$"],
  ["\\[", "\\]"],
  ["\\(", "\\)"],
] as const;

/** Longer ones are no formulas, but a sign that somebody forgot to close. */
const maxCharacters = 2_000;

/** What stands between two `$`, if that is a formula and no two prices: it holds a sign of TeX, or is one letter. */
const looksLikeTex = (text: string): boolean =>
  text.length > 0 && text === text.trim() && (/[\\^_={}]/.test(text) || /^\p{L}$/u.test(text));

/** The formula at the beginning of a text. */
export const formulaAt = (source: string): { raw: string; text: string } | null => {
  for (const [open, close] of delimiters) {
    if (!source.startsWith(open)) continue;
    const end = source.slice(0, maxCharacters).indexOf(close, open.length);
    const text = end < 0 ? "" : source.slice(open.length, end).trim();
    return text === "" ? null : { raw: source.slice(0, end + close.length), text };
  }
  if (!source.startsWith("$")) return null;
  const end = source.slice(0, maxCharacters).indexOf("$", 1);
  const text = end < 0 ? "" : source.slice(1, end);
  return looksLikeTex(text) && !/^\d/.test(source.slice(end + 1)) ? { raw: source.slice(0, end + 1), text } : null;
};

const inline: TokenizerAndRendererExtension = {
  name: "formula",
  level: "inline",
  start: (source) => {
    const at = source.search(/\$|\\[([]/);
    return at < 0 ? undefined : at;
  },
  tokenizer(source): FormulaToken | undefined {
    const found = formulaAt(source);
    return found === null ? undefined : { type: "formula", ...found };
  },
};

/** A formula that stands alone, over several lines. */
const block: TokenizerAndRendererExtension = {
  name: "formulaBlock",
  level: "block",
  start: (source) => {
    const at = source.search(/^(?:\$\$|\\\[)/m);
    return at < 0 ? undefined : at;
  },
  tokenizer(source): FormulaToken | undefined {
    if (!source.startsWith("$$") && !source.startsWith("\\[")) return undefined;
    const found = formulaAt(source);
    if (found === null) return undefined;
    const [rest = ""] = source.slice(found.raw.length).split("\n", 1);
    return rest.trim() === "" ? { type: "formulaBlock", ...found } : undefined;
  },
};

/** @param escaped text as HTML */
export const formulas = (escaped: (text: string) => string): MarkedExtension => ({
  extensions: [
    { ...inline, renderer: (token) => `<code>${escaped((token as FormulaToken).text)}</code>` },
    { ...block, renderer: (token) => `<pre><code>${escaped((token as FormulaToken).text)}</code></pre>` },
  ],
});
