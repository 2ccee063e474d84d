import { expect, test } from "bun:test";
import { createMarkdownPrinter } from "../../../src/commands/output/markdown-text.ts";

const printed = (text: string, { width = 80, piece = text.length } = {}): string => {
  let out = "";
  const printer = createMarkdownPrinter((more) => {
    out += more;
  }, width);
  for (let at = 0; at < text.length; at += piece) printer.add(text.slice(at, at + piece));
  printer.end();
  return out;
};

const answer = `## Fees of *all*

The **library** card costs 12 EUR [1]. See [the calendar](https://example.org/a) and \`x < y &lt;\`.

| Item | Fee |
|---|---:|
| Library card | **12** EUR |
| 日本 | a \\| b |

[1]

- a pencil, *no pens*
  - nested
3. Sign in

\`\`\`sh
carrel ask "x"
\`\`\`
`;

const asText = `Fees of all

The library card costs 12 EUR [1]. See the calendar (https://example.org/a) and x < y &lt;.

Item          Fee
Library card  12 EUR
日本          a | b

[1]

- a pencil, no pens
  - nested

3. Sign in

    carrel ask "x"
`;

test("Markdown is printed as text: without its signs, tables in columns, however it arrives", () => {
  expect(printed(answer)).toBe(asText);
  for (const piece of [1, 2, 3, 5, 7]) expect(printed(answer, { piece })).toBe(asText);
});

test("a table that is wider than the terminal is printed row by row", () => {
  expect(printed("| Item | Fee |\n|---|---|\n| Library card | 12 |\n| Late | 1 |", { width: 12 })).toBe(
    "Item: Library card\nFee: 12\n\nItem: Late\nFee: 1\n",
  );
});

test("a paragraph is printed sentence by sentence while it is written, and no sign of a terminal gets through", () => {
  let out = "";
  const printer = createMarkdownPrinter((more) => {
    out += more;
  }, 80);
  printer.add("It **opens. At** nine [1]. Then \u001b[31mit");
  expect(out).toBe("It opens. At nine [1]. ");
  printer.add(" closes.");
  printer.end();
  expect(out).toBe("It opens. At nine [1]. Then  [31mit closes.\n");
});
