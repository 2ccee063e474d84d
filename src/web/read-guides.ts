import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** A page of Carrel's own documentation, as the console loads it into a partition. */
export interface Guide {
  /** `carrel-guide:cli`: loading the guides twice, or those of another version, replaces them. */
  externalId: string;
  name: string;
  /** Markdown. */
  text: string;
}

const root = join(import.meta.dir, "../..");

/** The README and the pages of `docs/`, by name. */
export const readGuides = async (): Promise<Guide[]> => {
  const pages = (await readdir(join(root, "docs"))).filter((name) => name.endsWith(".md")).sort();
  return await Promise.all(
    ["README.md", ...pages.map((name) => `docs/${name}`)].map(async (path) => {
      const text = await Bun.file(join(root, path)).text();
      const title = /^# (.+)$/m.exec(text)?.[1]?.trim() ?? basename(path, ".md");
      return {
        externalId: `carrel-guide:${basename(path, ".md").toLowerCase()}`,
        name: path === "README.md" ? `${title}: what it is` : `${title} (Carrel guide)`,
        text,
      };
    }),
  );
};
