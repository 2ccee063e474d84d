import * as carrel from "./client";
import { client } from "./client/client.gen";

const { BASE = "", KEY = "" } = process.env;
client.setConfig({ baseUrl: BASE, auth: () => KEY });
const text = "The boiler is serviced in May.";
const metadata = JSON.stringify({ year: 2026 });
await carrel.ingestDocument({ body: { name: "Rules", text, metadata: { year: 2026 } }, throwOnError: true });
const asked = await carrel.askQuestion({ body: { query: "When is the boiler serviced?" } });
const answer: string | null | undefined = asked.data?.answer;
const listed = await carrel.listDocuments({ query: { metadata, limit: 100 } });
const missing = await carrel.getDocument({ path: { id: "none" } });
const file = await carrel.ingestFile({
  body: { file: new File(["The roof is red."], "a.md"), upsert: true, metadata },
});
const settings = await carrel.getSettings();
console.log(
  JSON.stringify({
    answer,
    listed: listed.data?.length,
    code: missing.error?.code,
    file: file.data?.name,
    settings: settings.data !== undefined,
  }),
);
