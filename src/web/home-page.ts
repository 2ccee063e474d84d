import { escapeHtml, htmlPage } from "../http/docs/html-page.ts";

/** `/`: explains the server to people who open its address in a browser. */
export const homeHtml = (baseUrl: string, version: string): string =>
  htmlPage(
    "Documents and answers",
    `<h1>Carrel</h1>
<p>This server reads your documents and answers questions over them, with sources. Version ${escapeHtml(version)}.</p>
<ul>
<li><a href="/docs">The API</a>: every operation, to read and to try (as <a href="/openapi.json">OpenAPI</a>).</li>
<li><a href="/docs/errors">Errors</a>: what each code means and what to do.</li>
</ul>
<p>With an API key, put something in and ask:</p>
<pre>curl ${escapeHtml(baseUrl)}/api/ingest -H "Authorization: Bearer $KEY" \\
  -d '{"name": "Opening hours", "text": "In winter the library opens at nine."}'
curl ${escapeHtml(baseUrl)}/api/query -H "Authorization: Bearer $KEY" \\
  -d '{"query": "When does it open in winter?"}'</pre>`,
  );
