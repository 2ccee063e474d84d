import type { Result } from "./try-group.ts";

export const pagePath = new URL("../../docs/bad-input.md", import.meta.url).pathname;

const maxDetail = 160;

const cell = (text: string): string => text.replaceAll(/[|\n\r]/g, " ").replaceAll("<", "&lt;");
const shown = (text: string): string => (text.length > maxDetail ? `${text.slice(0, maxDetail)} …` : text);
const got = ({ status, code }: Result): string =>
  status === null ? "connection closed" : `${status}${code === "" ? "" : ` \`${code}\``}`;

/** The row of a result without its last column, which may change with every wording. */
export const rowStart = (result: Result): string => `| ${cell(result.what)} | ${got(result)} |`;

/** docs/bad-input.md. */
export const badInputPage = (results: readonly Result[]): string => {
  const titles = [...new Set(results.map(({ group }) => group))];
  const sections = titles.map((title) => {
    const rows = results
      .filter(({ group }) => group === title)
      .map((result) => `${rowStart(result)} ${cell(shown(result.detail))} |`);
    return `## ${title}\n\n| sent | got | detail |\n|---|---|---|\n${rows.join("\n")}\n`;
  });
  const refused = results.filter(({ status, code }) => status === null || status >= 400 || code !== "").length;
  return `# Bad input

${results.length} inputs that are wrong, broken or meant to do harm, and what the server answered. ${refused} were refused; the others
do no harm and are answered or stored as they are. None got an internal error, and after each group the server answered an
ordinary question.

Made by \`npx bun tools/bad-input/main.ts dist/carrel\`, with the default settings and no model server, on a machine without
tesseract. A test sends them all again and compares what they got with this page. Files that are meant to take all time or
memory are measured by \`bench/ingest/hostile.ts\`, and generated requests sent by \`npm run test:api\`.

${sections.join("\n")}`;
};
