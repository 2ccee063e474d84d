/** Reads files with LiteParse: `bun liteparse.ts FOLDER FILE …`, where FOLDER has the package. A line of JSON for each file. */
const [folder = "", ...paths] = process.argv.slice(2);
const { LiteParse } = (await import(Bun.resolveSync("@llamaindex/liteparse", folder))) as {
  LiteParse: new (options: object) => { parse(path: string): Promise<{ text: string; totalPages: number }> };
};
for (const path of paths) {
  const parser = new LiteParse({ outputFormat: "markdown", ocrEnabled: false, quiet: true });
  const line = await parser
    .parse(path)
    .then(async ({ text, totalPages }) => {
      const before = process.cpuUsage();
      await parser.parse(path);
      const { user, system } = process.cpuUsage(before);
      return { text, pages: totalPages, cpuMs: (user + system) / 1_000 };
    })
    .catch((error) => ({ text: "", pages: 0, cpuMs: 0, failure: String(error).slice(0, 200) }));
  process.stdout.write(`\n${JSON.stringify(line)}\n`);
}

export {};
