/**
 * Puts a web page and two files into a running Carrel, asks five questions and prints each answer with its sources.
 *
 *     CARREL_KEY=crl_… npx bun examples/ask-with-sources.ts PAGE_URL FILE FILE [http://127.0.0.1:7373]
 *
 * Try it with `test/fixtures/documents`: ideas-page.html served by any web server, norwich-city.txt and
 * layout-parser-paper-fast.pdf. A page on your own machine needs `fetch.allowPrivateAddresses: true`.
 */
import { basename } from "node:path";

const [pageUrl, firstFile, secondFile, server = "http://127.0.0.1:7373"] = process.argv.slice(2);
const key = process.env.CARREL_KEY;
if (!pageUrl || !firstFile || !secondFile || !key) {
  console.error("usage: CARREL_KEY=crl_… npx bun examples/ask-with-sources.ts PAGE_URL FILE FILE [SERVER]");
  process.exit(2);
}

interface Snippet {
  metadata: { documentUploadId: string; content: string; page: number | null };
}
interface Answer {
  answer: string;
  relevantDocuments: { id: string; name: string }[];
  relevantSnippets: Snippet[];
}

/** Sends a body (an object as JSON, a form as it is); an error's `detail` says what to do. */
const send = async <T>(path: string, body: object): Promise<T> => {
  const isForm = body instanceof FormData;
  const response = await fetch(server + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...(isForm ? {} : { "content-type": "application/json" }) },
    body: isForm ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  });
  const answer = (await response.json()) as T & { detail?: string };
  if (response.status !== 200) throw new Error(`${path}: ${answer.detail}`);
  return answer;
};

const upload = async (path: string): Promise<void> => {
  const form = new FormData();
  form.append("file", Bun.file(path), basename(path));
  form.append("partition", "example");
  const { name, tokens } = await send<{ name: string; tokens: number }>("/api/ingest", form);
  console.log(`read ${name}: ${tokens} tokens`);
};

const page = await send<{ name: string; tokens: number }>("/api/ingest", { websiteUrl: pageUrl, partition: "example" });
console.log(`read ${page.name}: ${page.tokens} tokens`);
await upload(firstFile);
await upload(secondFile);

const questions = [
  "What is the way to get new ideas?",
  "When was Iwan Roberts born?",
  "What is the title of the book by Iwan Roberts?",
  "What is LayoutParser?",
  "Where are anomalies best looked for?",
];
for (const query of questions) {
  const { answer, relevantDocuments, relevantSnippets } = await send<Answer>("/api/query", { query });
  console.log(`\n${query}\n\n${answer}\n`);
  for (const [index, { metadata }] of relevantSnippets.entries()) {
    if (!answer.includes(`[${index + 1}]`)) continue;
    const name = relevantDocuments.find(({ id }) => id === metadata.documentUploadId)?.name;
    console.log(`  [${index + 1}] ${name}${metadata.page === null ? "" : `, page ${metadata.page}`}`);
  }
}
