import createClient from "openapi-fetch";
import type { components, paths } from "./api";

const { BASE = "", KEY = "" } = process.env;
const carrel = createClient<paths>({ baseUrl: BASE, headers: { authorization: `Bearer ${KEY}` } });
const text = "The boiler is serviced in May.";
const ingested = await carrel.POST("/api/ingest", { body: { name: "Rules", text, metadata: { year: 2026 } } });
if (ingested.error !== undefined) throw new Error(ingested.error.code);
const asked = await carrel.POST("/api/query", { body: { query: "When is the boiler serviced?" } });
const answer: string | null | undefined = asked.data?.answer;
const metadata = JSON.stringify({ year: 2026 });
const listed = await carrel.GET("/api/document", { params: { query: { metadata, limit: 100 } } });
const missing = await carrel.GET("/api/document/{id}", { params: { path: { id: "none" } } });
const code: components["schemas"]["ErrorCode"] | undefined = missing.error?.code;
const settings = await carrel.GET("/api/settings");
console.log(JSON.stringify({ answer, listed: listed.data?.length, code, settings: settings.data !== undefined }));
