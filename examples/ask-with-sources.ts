/**
 * Puts a web page and two files into a running Carrel, asks five questions and prints each answer with its sources.
 *
 *     CARREL_KEY=crl_… npx bun examples/ask-with-sources.ts PAGE_URL FILE FILE [http://127.0.0.1:7373]
 *
 * Try it with `test/fixtures/documents`: ideas-page.html served by any web server, norwich-city.txt and
 * layout-parser-paper-fast.pdf. A page on your own machine needs `fetch.allowPrivateAddresses: true`.
 */
import { createClient } from "../clients/typescript/src/index.ts";

const [pageUrl, firstFile, secondFile, baseUrl = "http://127.0.0.1:7373"] = process.argv.slice(2);
const key = process.env.CARREL_KEY;
if (!pageUrl || !firstFile || !secondFile || !key) {
  console.error("usage: CARREL_KEY=crl_… npx bun examples/ask-with-sources.ts PAGE_URL FILE FILE [SERVER]");
  process.exit(2);
}

// An error's `detail` says what to do.
const carrel = createClient({ baseUrl, key });
const page = await carrel.call("POST /api/ingest", { body: { websiteUrl: pageUrl, partition: "example" } });
console.log(`read ${page.name}: ${page.tokens} tokens`);
for (const path of [firstFile, secondFile]) {
  const { name, tokens } = await carrel.upload(Bun.file(path), { partition: "example" });
  console.log(`read ${name}: ${tokens} tokens`);
}

const questions = [
  "What is the way to get new ideas?",
  "When was Iwan Roberts born?",
  "What is the title of the book by Iwan Roberts?",
  "What is LayoutParser?",
  "Where are anomalies best looked for?",
];
for (const query of questions) {
  const { answer, relevantDocuments, relevantSnippets } = await carrel.ask({ query });
  console.log(`\n${query}\n\n${answer}\n`);
  for (const [index, { metadata }] of relevantSnippets.entries()) {
    if (!answer?.includes(`[${index + 1}]`)) continue;
    const name = relevantDocuments.find(({ id }) => id === metadata.documentUploadId)?.name;
    console.log(`  [${index + 1}] ${name}${metadata.page === null ? "" : `, page ${metadata.page}`}`);
  }
}
