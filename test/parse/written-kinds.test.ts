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
    "# Manual\n\nAnn Lee\n\n## Install 2.1\n\nSee usage or below.\n\nA red boat",
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
