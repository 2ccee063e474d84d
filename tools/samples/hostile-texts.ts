/** Pieces that parsers stumble over when they come again and again. */
const pieces: readonly string[] = [
  ..." \t\n\r\f\v\u00a0\u3000[](){}*_`|<>&=+-#~.,;:\"'/\\7Aa!?@$^“«。",
  ...["\r\n", "\u0301\u0316", "漢", "ก", "한", "😀", "\ud83d", "👨\u200d", "\ufdfa", "%20", "<!---->", "<!-- a -->\n"],
  ...[
    "[a](",
    "[a",
    "![](",
    "[a]: ",
    "- a\n  ",
    "1. ",
    "> ",
    "# a #",
    "| a ",
    "|-",
    "- [ ] ",
    "**a",
    "```\n",
    "a\n==\n",
  ],
  ...["<a>", "</b>", "<div>", "<table><tr><td>", "<ul><li>", "<font>", "<b>a</b> ", "a<br>", "<a b='", "<![CDATA["],
  ...[
    "<?a ",
    "<!DOCTYPE [",
    "&amp;",
    "<meta charset",
    "<?xml encoding=",
    '{"a":',
    "[],",
    '"a",',
    "\\u0041",
    "a: ",
    "- ",
  ],
  ...[
    "{a: ",
    "&a *a ",
    "? ",
    "---\n",
    "a,b\n",
    '"a,',
    '""',
    "a,",
    "a\t",
    "a@b.co ",
    "From: a\n",
    "A:\n b\n",
    "=?utf-8?q?a?=",
  ],
  ...[
    "http://a.b/c ",
    "{\\b ",
    "\\u65 ",
    "{\\*\\a}",
    "QUJD",
    "aB",
    "a_b-c.",
    "1,",
    "A b. ",
    "e.g. ",
    '"a" ',
    "l'",
    "[1]",
    "a\n\n",
  ],
];

/**
 * Texts of about the given number of characters: each piece repeated, alone and between two letters, and some made of
 * several.
 */
export const hostileTexts = (characters: number): Map<string, string> => {
  const texts = new Map<string, string>();
  for (const piece of pieces) {
    const run = piece.repeat(Math.floor(characters / piece.length));
    texts.set(JSON.stringify(piece), run);
    texts.set(`${JSON.stringify(piece)} between letters`, `a${run}x`);
  }
  const half = Math.floor(characters / 2);
  const eighth = Math.floor(characters / 8);
  texts.set("elements and other ends", "<a>".repeat(eighth) + "</b>".repeat(eighth));
  texts.set("brackets, closed", "[".repeat(half) + "]".repeat(half));
  texts.set("one long row over many short ones", `${"a,".repeat(eighth * 2)}\n${"b\n".repeat(eighth * 2)}`);
  texts.set("spans over columns", `<table>${"<tr><td colspan=1000>a<td>b".repeat(Math.floor(characters / 27))}`);
  texts.set(
    "spans over rows",
    `<table><tr>${"<td rowspan=10000>aaaaaaaa".repeat(Math.floor(half / 26))}${"<tr>".repeat(eighth)}`,
  );
  return texts;
};

/** A name and a type of each kind of text that is told apart. */
export const textFiles: readonly { name: string; mimeType: string | null }[] = [
  { name: "a.txt", mimeType: "text/plain" },
  { name: "a.md", mimeType: "text/markdown" },
  { name: "a.csv", mimeType: "text/csv" },
  { name: "a.tsv", mimeType: "text/tab-separated-values" },
  { name: "a.json", mimeType: "application/json" },
  { name: "a.yaml", mimeType: "application/yaml" },
  { name: "a.xml", mimeType: "application/xml" },
  { name: "a.html", mimeType: "text/html" },
  { name: "a.rtf", mimeType: "application/rtf" },
  { name: "a.eml", mimeType: "message/rfc822" },
  { name: "a", mimeType: null },
];
