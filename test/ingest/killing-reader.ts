import { formOf } from "../call-server.ts";
import { startTestServer } from "../start-server.ts";

/**
 * A server on a data directory in whose parser the whole process dies, but for files that say they are harmless. What it
 * is told to ingest goes into the queue at the start. It prints the statuses when nothing waits any more.
 */
const [dataDir = "", key = "", ...texts] = process.argv.slice(2);
const server = await startTestServer(
  {},
  {
    adminKey: key,
    isKept: true,
    parts: {
      parser: {
        async parse({ bytes }) {
          const text = new TextDecoder().decode(bytes);
          if (text.includes("harmless")) await Bun.sleep(300);
          else process.kill(process.pid, "SIGKILL");
          return { text, pages: [], title: null, mimeType: "text/plain", warnings: [] };
        },
      },
    },
  },
  dataDir,
);
for (const text of texts) {
  const form = formOf({ async: "true", file: new File([text], `${text}.txt`, { type: "text/plain" }) });
  await server.call("/api/ingest", { method: "POST", body: form });
}
for (;;) {
  const documents = (await (await server.call("/api/document?limit=100")).json()) as { id: string; status: string }[];
  if (documents.every(({ status }) => status === "processed" || status === "failed")) {
    console.log(JSON.stringify(documents));
    break;
  }
  await Bun.sleep(20);
}
await server.stop();
process.exit(0);
