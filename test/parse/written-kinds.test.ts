/** Texts that are written as source (LaTeX, reStructuredText, AsciiDoc, Org, feeds): no word of them is lost. */
import { expect, test } from "bun:test";
import { parseBytes } from "./test-parser.ts";

test("latex: commands of the author are written out, what is printed as it stands keeps its signs", async () => {
  const source = String.raw`\documentclass{article}
\newcommand{\boat}{the \emph{Anna}} % a comment
\newcommand{\pair}[2]{#1 and #2}
\newcommand{\loop}{\loop}
\begin{document}
We took \boat\ to \pair{Leith}{Hull}. \loop
\begin{verbatim}
x = 1 % kept
\end{verbatim}
\end{document}`;
  const { text } = await parseBytes(source, { name: "a.tex" });
  expect(text).toBe("We took the *Anna* to Leith and Hull.\n\n```\nx = 1 % kept\n```");
});

test("reStructuredText: tables of values and of lists are tables", async () => {
  const source = `.. csv-table:: Prices
   :header: "part", "price"

   "oar, long", 40

.. list-table::
   :header-rows: 1

   * - part
     - weight
   * - sail
     - 12
       kg
`;
  expect((await parseBytes(source, { name: "a.rst" })).text).toBe(
    "Prices\n\n| part | price |\n| --- | --- |\n| oar, long | 40 |\n\n| part | weight |\n| --- | --- |\n| sail | 12 kg |",
  );
});

test("asciidoc: attributes are their values, references and pictures have words", async () => {
  const source =
    "= Manual\nAnn Lee\n:version: 2.1\n\n== Install {version}\n\nSee <<usage>> or <<usage,below>>.\n\nimage::boat.png[A red boat,300]\n";
  expect((await parseBytes(source, { name: "a.adoc" })).text).toBe(
    "# Manual\n\nAnn Lee\n\n## Install 2.1\n\nSee [usage] or below.\n\nA red boat",
  );
});

test("asciidoc: numbers, notes, indexes, admonitions and captions are as they are shown", async () => {
  const source = `= Sauna

NOTE: Never leave it.

. Open the vent.
.. upper first
. Light it.
+
Use two matches.

.Times
|===
|Stage |Minutes

|Heating
|40
|===

Water is H~2~O, latexmath:[x^2].footnote:[By code.]

include::/etc/hostname[]
`;
  expect((await parseBytes(source, { name: "a.adoc" })).text).toBe(
    "# Sauna\n\nNote: Never leave it.\n\n1. Open the vent.\n  a. upper first\n2. Light it.\n  Use two matches.\n\nTimes\n\n| Stage | Minutes |\n| --- | --- |\n| Heating | 40 |\n\nWater is H₂O, $x^2$.[^1]\n\n/etc/hostname\n\n[^1]: By code.",
  );
});

test("reStructuredText: terms, quotes, fields, notes below their marks, cells over rows, raised digits", async () => {
  const source = `:Author: M. Lie
:Version: 2

1. Walk.
2. Drill:

   a. here,
   b. there.

Moss
   Holds water.

..

   Never step on it.

Area 10\\ :sup:\`6\` m and :math:\`x^2\` [1]_.

.. [1]
   Yu, 2010.

+------+-------+
| a    | | one |
|      | | two |
+      +-------+
|      | three |
+------+-------+
`;
  expect((await parseBytes(source, { name: "a.rst" })).text).toBe(
    "Author: M. Lie\n\nVersion: 2\n\n1. Walk.\n2. Drill:\n  a. here,\n  b. there.\n\nMoss\n\nHolds water.\n\n> Never step on it.\n\nArea 10⁶ m and $x^2$ [^1].\n\n[^1]: Yu, 2010.\n\n| a | one two |\n| --- | --- |\n| a | three |",
  );
});

test("latex: heads of long tables, cells over rows, letters of inner lists, raised digits, thanks", async () => {
  const source = String.raw`\author{A. Bak\thanks{By NFR.} \and C. Dahl}
\begin{document}
\begin{longtable}[]{@{}>{\raggedright}p{(\linewidth - 2\tabcolsep) * 5}l@{}}
\caption{Ports}\tabularnewline
\begin{minipage}[b]{\linewidth}Port\\ name\end{minipage} & m \\
\endfirsthead
Port & m \\
\endhead
\multirow{2}{*}{Oslo} & 1 \\
 & 2 \\
\end{longtable}
\begin{enumerate}\item Take 10\textsuperscript{6}:\begin{enumerate}\item here\end{enumerate}\end{enumerate}
\end{document}`;
  expect((await parseBytes(source, { name: "a.tex" })).text).toBe(
    "A. Bak[^1], C. Dahl\n\nPorts\n\n| Port name | m |\n| --- | --- |\n| Oslo | 1 |\n| Oslo | 2 |\n\n1. Take 10⁶:\n  (a) here\n\n[^1]: By NFR.",
  );
});

test("org: numbers, terms, raised digits and authors stay", async () => {
  const source = "#+AUTHOR: Per\n1. Walk\n2. Drill\n- Moss :: green\n\n10^{6} m, \\(x\\)\n";
  expect((await parseBytes(source, { name: "a.org" })).text).toBe(
    "Per\n\n1. Walk\n2. Drill\n- Moss: green\n\n10⁶ m, $x$",
  );
});

test("org: tags and notes of a heading are read", async () => {
  const source = "* TODO [#A] Buy rope :shop:urgent:\nSoon[fn:1].\n[fn:1] By May.\n";
  expect((await parseBytes(source, { name: "a.org" })).text).toBe(
    "# TODO Buy rope\n\nTags: shop, urgent\n\nSoon[^1].\n\n[^1]: By May.",
  );
});

test("a title of a feed may be HTML; a front matter may be TOML; a saved page is its text", async () => {
  const feed =
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title type="html">Two &amp;amp; &lt;b&gt;three&lt;/b&gt;</title></entry></feed>';
  expect((await parseBytes(feed)).text).toBe("# News\n\n## Two & three");
  const page = await parseBytes('+++\ntitle = "Sails"\ntags = ["a", "b"]\n+++\n\nText.\n', { name: "a.md" });
  expect([page.title, page.properties?.tags]).toEqual(["Sails", ["a", "b"]]);
  const saved =
    "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Open at <b>six</b></p>\r\n--b--\r\n";
  expect((await parseBytes(saved)).text).toBe("Open at six");
});

test("files attached to notes of Evernote are read below their notes", async () => {
  const attached = Buffer.from("Rent,900\nHeat,80\n").toString("base64");
  const note = (title: string, more: string) =>
    `<note><title>${title}</title><content><![CDATA[<en-note>Words of ${title}</en-note>]]></content>${more}</note>`;
  const resource = (data: string, name: string) =>
    `<resource><data encoding="base64">\n${data}\n</data><mime>text/csv</mime><resource-attributes><file-name>${name}</file-name></resource-attributes></resource>`;
  const { text, warnings } = await parseBytes(
    `<?xml version="1.0"?><en-export>${note("House", resource(attached, "costs.csv"))}${note("Garden", resource("AAECAw==", "x.bin"))}</en-export>`,
    { name: "notes.enex" },
  );
  expect(text).toContain("Words of House\n\n## Attachment: costs.csv\n\n| Rent | 900 |");
  expect(text.indexOf("costs.csv")).toBeLessThan(text.indexOf("# Garden"));
  expect(warnings).toEqual([expect.stringContaining("x.bin was left out")]);
});

test("latex: works cited keep the keys they are cited by, powers in the text are raised", async () => {
  const { text } = await parseBytes(
    "\\documentclass{article}\\begin{document}It takes 5 m$^3$, see \\cite{roe}.\\begin{thebibliography}{9}\\bibitem{roe} Roe, Quays.\\end{thebibliography}\\end{document}",
    { name: "a.tex" },
  );
  expect(text).toBe("It takes 5 m³, see [roe].\n\n[roe] Roe, Quays.");
});

test("LaTeX: quantities have their units, and names of groups of columns are in the names of their columns", async () => {
  const tex = String.raw`\documentclass{article}\begin{document}A core of \SI{50}{\mm} {wide}, \qty{90}{\kilo\metre\per\hour}, \SI{3}{m.s^{-2}}, \SI[mode=text]{20}{\celsius}, \SI{5}{\percent}, \qty{2}{\square\metre} in \unit{\micro\gram}.
\begin{tabular}{lrr} & \multicolumn{2}{c}{Winter}\\ Bog & Mean & Most\\ Moine & 6 & 9\end{tabular}\end{document}`;
  expect((await parseBytes(tex, { name: "a.tex" })).text).toBe(
    "A core of 50 mm wide, 90 km/h, 3 m·s⁻², 20 °C, 5%, 2 m² in µg.\n\n| Bog | Winter Mean | Winter Most |\n| --- | --- | --- |\n| Moine | 6 | 9 |",
  );
});
