/**
 * Footnote marks of the source (`1968,[1][2] and`), which readers would take for source marks. An index (`list[0]`) and a
 * link (`[1](…)`) are not footnote marks.
 */
const footnoteMarks = /(?: |(?<![\p{L}\p{N}_)\]]))\[\^?\d{1,3}\](?: ?\[\^?\d{1,3}\])*(?!\()/gu;
const namedFootnotes = /\[\^[\w-]{1,32}\](?!:)/g;
const footnoteHead = /^\[\^[\w-]{1,32}\]:\s?/;
const picture = /!\[([^\]\n]{0,300})\]\([^)\s]{0,2000}(?: "[^"\n]{0,300}")?\)/g;
const link = /\[([^\]\n]{1,300})\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,2000}(?: "[^"\n]{0,300}")?\)/g;
const wikiLink = /\[\[(?:[^\]|\n]{1,300}\|)?([^\]|\n]{1,300})\]\]/g;
const autoLink = /<((?:https?:|mailto:)[^<>\s]{1,2000})>/g;
const emphasis = /(\*\*\*|\*\*|__)(?=\S)(.{1,600}?\S)\1/g;
const headingSigns = /^(?:#{1,6}[ \t]+|={1,6} +)/;
const closingSigns = /[ \t]+#{1,6}$/;
const quoteSigns = /^(?:>[ \t]?)+/;
const callout = /^\[!\w{1,32}\][+-]? ?/;
/** In cells of tables, which hold no line breaks. */
const lineBreak = /(?: ?<br ?\/?> ?)+/gi;
const openTask = /^([-*+] )\[ \] /;
const doneTask = /^([-*+] )\[[xX]\] /;

/** A passage as it is read: without the signs of Markdown that a reader of plain text would stumble over. */
export const readable = (text: string): string =>
  text.length > maxCharacters ? text.replace(/\s+/gu, " ").trim() : withoutSigns(text);

/** Passages are sentences: a longer one is shown as it stands. */
const maxCharacters = 4_000;

const withoutSigns = (text: string): string =>
  text
    .trim()
    .replace(quoteSigns, "")
    .replace(callout, "")
    .replace(headingSigns, "")
    .replace(closingSigns, "")
    .replace(openTask, "$1☐ ")
    .replace(doneTask, "$1☑ ")
    .replace(footnoteHead, "")
    .replace(picture, "$1")
    .replace(link, "$1")
    .replace(wikiLink, "$1")
    .replace(autoLink, "$1")
    .replace(emphasis, "$2")
    .replace(emphasis, "$2")
    .replace(lineBreak, ", ")
    .replace(namedFootnotes, "")
    .replace(footnoteMarks, "")
    .replace(/\s+/gu, " ")
    .trim();
