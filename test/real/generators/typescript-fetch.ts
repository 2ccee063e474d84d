import { Configuration, DocumentsApi, OperationApi, QuestionsApi, ResponseError } from "./client";

const { BASE = "", KEY = "" } = process.env;
const configuration = new Configuration({ basePath: BASE, accessToken: KEY });
const documents = new DocumentsApi(configuration);
const text = "The boiler is serviced in May.";
const metadata = JSON.stringify({ year: 2026 });
await documents.ingestDocument({ ingestRequest: { name: "Rules", text, metadata: { year: 2026 } } });
const question = { query: "When is the boiler serviced?" };
const { answer } = await new QuestionsApi(configuration).askQuestion({ questionRequest: question });
const listed = await documents.listDocuments({ metadata, limit: 100 });
const code = await documents.getDocument({ id: "none" }).catch(async (error: unknown) => {
  if (error instanceof ResponseError) return (await error.response.json()).code;
});
const file = await documents.ingestFile({ file: new File(["The roof is red."], "a.md"), upsert: true, metadata });
const bytes = (await documents.getDocumentFile({ id: file.id })).size;
const batch = await documents.ingestBatch({ body: new Blob(['{"name": "a", "text": "a"}\n{"name": "b"}\n']) });
const lines = (await batch.text()).trim().split("\n").length;
const settings = (await new OperationApi(configuration).getSettings()) !== undefined;
console.log(JSON.stringify({ answer, listed: listed.length, code, file: file.name, bytes, lines, settings }));
