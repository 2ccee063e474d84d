import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseBytes } from "./test-parser.ts";

const read = (body: string, head = "<title>T</title>", baseUrl = "https://example.com/docs/page") =>
  parseBytes(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`, { name: "a.html", baseUrl });

test("blocks, inline code, nested and numbered lists, code, quotes", async () => {
  const { text, title } = await read(
    `<h1>Hours</h1><p>We <b>open</b> at <i>nine</i>,<br>see <code>cfg.yaml</code>.</p>
     <ul><li>One<ul><li>in</li></ul></li><li><p>Two</p><p>more</p></li></ul><ol start="3"><li>c</li><li>d</li></ol>
     <pre><code class="language-js">let a = 1;\n  b()</code></pre><blockquote><p>Said</p></blockquote>`,
  );
  expect(title).toBe("T");
  expect(text).toBe(
    "# Hours\n\nWe open at nine,\nsee `cfg.yaml`.\n\n- One\n  - in\n- Two\n  more\n3. c\n4. d\n\n```js\nlet a = 1;\n  b()\n```\n\n> Said",
  );
});

test("links are whole; those that lead nowhere are their text", async () => {
  const { text } = await read(
    `<p><a href="../a?b=1">up</a> <a href="#x">here</a> <a href="javascript:alert(1)">script</a>
     <a href="mailto:a@b.example">mail</a> <a href="https://example.org">https://example.org/</a> <a href="/x_(y)">[z]</a></p>`,
  );
  expect(text).toBe(
    "[up](https://example.com/a?b=1) here script [mail](mailto:a@b.example) https://example.org/ [\\[z\\]](https://example.com/x_%28y%29)",
  );
  expect((await read('<p><a href="x">l</a></p>', '<base href="https://other.example/y/">')).text).toBe(
    "[l](https://other.example/y/x)",
  );
});

test("menus, banners, cookie notices, hidden and script parts are left out", async () => {
  const { text } = await read(
    `<header><a href="/">Logo</a></header><nav><a href="/a">A</a></nav><div class="cookie-banner">We use cookies</div>
     <div class="layout"><div id="sidebar"><a href="/1">One</a><a href="/2">Two</a></div><h1>Real</h1><p>Content here.</p></div>
     <p style="display:none">hidden</p><p hidden>hidden</p><script>var x</script><style>p{}</style><aside>ad</aside><footer>Imprint</footer>`,
  );
  expect(text).toBe("# Real\n\nContent here.");
});

test("main or the only article is the content; a heading outside it still leads", async () => {
  const story =
    "<p>This is the story, long enough to be taken for the content of the page by everyone who reads it.</p>";
  expect((await read(`<div>noise</div><main><h1>M</h1>${story}</main>`)).text).not.toContain("noise");
  const { text } = await read(
    `<div class="top"><h1>Headline</h1></div><article>${story}${story}</article><div>teaser</div>`,
  );
  expect(text).toStartWith("# Headline\n\nThis is the story");
  expect(text).not.toContain("teaser");
});

test("a page full of links gives what readability finds", async () => {
  const links = Array.from(
    { length: 90 },
    (_, index) => `<li><a href="/t${index}">Teaser number ${index}</a></li>`,
  ).join("");
  const paragraph =
    "<p>The council decided on Monday, after a long debate, that the bridge will be rebuilt next year, with stone from the old quarry, and that it will carry a tramway as well as carriages, people and horses.</p>";
  const { text } = await read(`<div><ul>${links}</ul></div><div class="story">${paragraph.repeat(30)}</div>`);
  expect(text).toContain("The council decided on Monday");
  expect(text).not.toContain("Teaser number 7");
});

test("tables of data as rows, spans laid out, loose signs joined; tables of layout as if not there", async () => {
  const { text } = await read(
    `<table><caption>Prices</caption><thead><tr><th>Item</th><th colspan="2">Price</th></tr></thead>
     <tr><td rowspan="2">Chair|s</td><td>$</td><td>12</td></tr><tr><td>$</td><td>15</td></tr></table>
     <table><tr><td><h2>Left</h2><p>Words</p></td><td><p>Right</p></td></tr></table>`,
  );
  expect(text).toBe(
    "Prices\n\n| Item | Price |  |\n| --- | --- | --- |\n| Chair\\|s |  | $12 |\n| Chair\\|s |  | $15 |\n\n## Left\n\nWords\n\nRight",
  );
});

test("titles: the page's own, else the one for sharing, else the heading", async () => {
  expect((await read("<h1>H</h1>", "<title> A \n b </title>")).title).toBe("A b");
  expect((await read("<h1>H</h1>", '<meta property="og:title" content="Shared">')).title).toBe("Shared");
  expect((await read("<h1>H</h1>", "")).title).toBe("H");
  expect((await read("<p>x</p>", `<title>${"é".repeat(400)}</title>`)).title).toHaveLength(255);
});

test("foot- and endnotes are marked as in Markdown, their ways back left out", async () => {
  const { text } = await read(
    '<p>Deep.<a href="#fn1" id="ref1" role="doc-noteref"><sup>1</sup></a> Cold.<sup class="reference"><a href="#note-b">[b]</a></sup>' +
      ' Again.<sup><a href="#fn1">1</a></sup> m<sup>2</sup>, <a href="#top">3</a>, <sup><a href="#gone">4</a></sup></p>' +
      '<section role="doc-endnotes"><ol><li id="fn1"><p>Says <a href="https://x.example/">Ann</a>.<a href="#ref1">↩︎</a></p><p>Twice.</p></li></ol></section>' +
      '<div><p><a name="note-b" href="#b">b</a> Says Bo.</p></div><ol><li>one</li></ol>',
  );
  expect(text).toBe(
    "Deep.[^1] Cold.[^2] Again.[^1] m², 3, ⁴\n\n[^1]: Says [Ann](https://x.example/).\n\nTwice.\n\n[^2]: Says Bo.\n\n1. one",
  );
});

test("a page nested ten thousand deep is read", async () => {
  const { text } = await read(`${"<div><span>".repeat(10_000)}deep${"</span></div>".repeat(10_000)}`);
  expect(text).toBe("deep");
});

test("any markup is read without a fault, and gives tidy text", async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "<p>",
      "</p>",
      "<table>",
      "<tr>",
      "<td rowspan=3>",
      "<li>",
      "<ul>",
      "</ul>",
      "<a href='x'>",
      "<h1>",
      "<pre>",
      "<br>",
      "<!--",
      "-->",
      "&amp;",
      "<main>",
      '<sup><a href="#n">1</a></sup>',
      '<li id="n"><a href="#m">^</a>',
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const { text } = await read(`<p>start</p>${pieces.join("")}`).catch((error: { code?: string }) => {
        // Control characters in plenty make it a binary file; an unclosed comment leaves nothing.
        if (error.code === "unsupported_file_type" || error.code === "no_text") return { text: "start" };
        throw error;
      });
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/\0|\r|[ \t]\n|\n{3}/);
    }),
    { numRuns: 200 },
  );
});

test("a page of links alone, panels that unfold, and what only sounds like a banner are read", async () => {
  const links = ["North", "South", "East"].map((name) => `<li><a href="/${name}">Harbour ${name}</a></li>`).join("");
  expect((await read(`<nav><ul>${links}</ul></nav>`)).text).toContain("[Harbour East](https://example.com/East)");
  const said = `<p>${"The harbour opens at six. ".repeat(8)}</p>`;
  const { text } = await read(
    `<h1>Pump</h1>${said}<div class="tab-pane" style="display:none"><p>Warranty 24 months</p></div>
     <div class="accordion-body collapse" hidden><p>Return within 30 days</p></div>
     <div class="menu"><h2>Lunch</h2><p>Soup 4.50</p></div><div class="cookie-recipe"><p>Bake for ten minutes</p></div>
     <div class="menu"><a href="/a">Start</a> <a href="/b">Contact</a></div><div id="cookieConsent" class="cookie-notice">We use cookies</div>`,
  );
  for (const kept of ["Warranty 24 months", "Return within 30 days", "Soup 4.50", "Bake for ten"])
    expect(text).toContain(kept);
  for (const gone of ["Contact", "We use cookies"]) expect(text).not.toContain(gone);
});
