/** What the tests of the documentation need to know of a Markdown page. */

const root = new URL("../../", import.meta.url).pathname;

export const pathInRepository = (path: string): string => `${root}${path}`;

export const readPage = (path: string): Promise<string> => Bun.file(pathInRepository(path)).text();

/** The pages that people read; those under `docs/decisions` are a record of the past. */
export const pages = async (): Promise<string[]> => [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...(await Array.fromAsync(new Bun.Glob("docs/*.md").scan(root))),
  ...(await Array.fromAsync(new Bun.Glob("bench/**/README.md").scan(root))),
];

const withoutFences = (page: string): string => page.replaceAll(/^```[\s\S]*?^```/gm, "");

/** Texts in backticks, outside of code blocks. */
export const codeSpans = (page: string): string[] =>
  [...withoutFences(page).matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);

/** Targets of links, outside of code. */
export const links = (page: string): string[] =>
  [
    ...withoutFences(page)
      .replaceAll(/`[^`\n]+`/g, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = ""]) => target);

/** The anchors of a page's headings, as GitHub makes them. */
export const anchors = (page: string): Set<string> => {
  const found = new Set<string>();
  for (const [, title = ""] of withoutFences(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; found.has(anchor); count++) anchor = `${slug}-${count}`;
    found.add(anchor);
  }
  return found;
};

/** The rows of all tables of a section, as cells, without the tables' heads. */
export const tableRows = (page: string, heading: string): string[][] => {
  const section = page.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? "";
  const lines = section.split("\n");
  return lines
    .filter((line, at) => line.startsWith("| ") && !lines[at + 1]?.startsWith("|---"))
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
};
