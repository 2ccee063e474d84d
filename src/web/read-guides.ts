import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** A page of Carrel's own documentation, as `/docs` shows it and as the console loads it into a partition. */
export interface Guide {
  /** `cli`: the page is `/docs/guide/cli`. */
  slug: string;
  /** As in `Commands`. */
  title: string;
  /** The heading that lists of guides put it under. */
  group: string;
  /** `carrel-guide:cli`: loading the guides twice, or those of another version, replaces them. */
  externalId: string;
  /** Name of the document that the console makes of it. */
  name: string;
  /** Markdown. */
  text: string;
}

const root = join(import.meta.dir, "../..");

/** The README and the pages of `docs/`, in the order of their groups. @throws Error for a page that no group names */
export const readGuides = async (): Promise<Guide[]> => {
  const pages = (await readdir(join(root, "docs"))).filter((name) => name.endsWith(".md"));
  const guides = await Promise.all(
    ["README.md", ...pages.map((name) => `docs/${name}`)].map(async (path) => {
      const text = await Bun.file(join(root, path)).text();
      const slug = basename(path, ".md").toLowerCase();
      const title = /^# (.+)$/m.exec(text)?.[1]?.trim() ?? slug;
      const place = placeOf(slug);
      if (place === null) throw new Error(`src/web/read-guides.ts names no group for ${path}`);
      const isReadme = path === "README.md";
      const guide: Guide = {
        slug,
        title: isReadme ? "What Carrel is" : title,
        group: place.group,
        externalId: `carrel-guide:${slug}`,
        name: isReadme ? `${title}: what it is` : `${title} (Carrel guide)`,
        text,
      };
      return { guide, at: place.at };
    }),
  );
  return guides.toSorted((a, b) => a.at - b.at).map(({ guide }) => guide);
};

/** The guides in the order that a reader meets them, in groups; by the name of the file without `.md`. */
export const guideGroups: readonly { title: string; guides: readonly string[] }[] = [
  { title: "Start", guides: ["readme", "install", "console", "cli", "configuration"] },
  { title: "Documents", guides: ["formats", "folders-and-sites", "deletion", "export"] },
  { title: "Answers", guides: ["asking", "models", "quality", "performance", "scale", "evaluation", "public-chats"] },
  { title: "Running it", guides: ["deploy", "operations", "metrics", "backup", "recovery", "doctor", "threat-model"] },
  { title: "From programs", guides: ["mcp", "api", "errors", "webhooks", "bad-input", "architecture"] },
];

/** Where a guide stands; null for one that no group names. */
const placeOf = (slug: string): { group: string; at: number } | null => {
  const at = guideGroups.flatMap(({ guides }) => guides).indexOf(slug);
  const group = guideGroups.find(({ guides }) => guides.includes(slug));
  return group === undefined ? null : { group: group.title, at };
};
