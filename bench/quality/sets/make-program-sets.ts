import { type Block, readBlocks } from "./blocks.ts";
import { writeSet } from "./write-set.ts";

const usage = `Makes sets of short descriptions in BEIR's layout from a catalog of programs (AppStream's DEP-11, in YAML).

  bun bench/quality/sets/make-program-sets.ts TARGET FILE LANGUAGE…

FILE is a catalog such as apt keeps in /var/lib/apt/lists (*_dep11_Components-*.yml.gz). A document is the description of
a program, and is asked for by its summary in the same language. LANGUAGE is as in the catalog: C (English), de, zh_CN.
TARGET gets a folder programs-LANGUAGE for each.`;

const [target, file, ...languages] = process.argv.slice(2);
if (target === undefined || file === undefined || languages.length === 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

/** Characters of a description: shorter ones say nothing to find. */
const minLength = 120;

interface Component {
  ID?: string;
  Summary?: Record<string, string>;
  Description?: Record<string, string>;
}

const bytes = await Bun.file(file).bytes();
const source = new TextDecoder().decode(file.endsWith(".gz") ? Bun.gunzipSync(bytes) : bytes);
/** One component at a time: those that the parser does not read are left out. */
const components = source.split(/^---$/m).flatMap((part): Component[] => {
  try {
    return [(Bun.YAML.parse(part) ?? {}) as Component];
  } catch {
    return [];
  }
});

for (const language of languages) {
  const pages = new Map<string, readonly [string, Block[]]>();
  for (const { ID: id = "", Summary, Description } of components) {
    const summary = Summary?.[language];
    const description = Description?.[language];
    if (typeof summary !== "string" || typeof description !== "string") continue;
    const paragraphs = readBlocks(description.replaceAll(/<(\/?)li>/g, "<$1p>"));
    const text = paragraphs.map((block) => block.text).join("\n");
    if (text.length >= minLength && !pages.has(text))
      pages.set(text, [id, [{ level: 1, text: summary }, ...paragraphs]]);
  }
  const shuffled = [...pages.values()].sort(([a], [b]) => Number(Bun.hash.crc32(a)) - Number(Bun.hash.crc32(b)));
  const name = `programs-${language === "C" ? "en" : language.toLowerCase().replace("_", "-")}`;
  process.stdout.write(`${await writeSet(target, name, shuffled)}\n`);
}
