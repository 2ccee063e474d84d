import { type PageFiles, pathOf } from "./page-files.ts";
import { pageResponse } from "./page-response.ts";

/** Addresses of the console's views; the script shows the one that is asked for. */
export const consolePaths = [
  "/documents",
  "/documents/:id",
  "/ask",
  "/chats",
  "/chats/:id",
  "/partitions",
  "/keys",
  "/settings",
] as const;

/** The console: one page for all its views. What it is stands there without JavaScript. */
export const consolePage = (files: PageFiles): Response =>
  pageResponse({
    title: "Carrel",
    styles: [pathOf(files, "console.css")],
    scripts: [pathOf(files, "console.js")],
    hasWorker: true,
    body: `<div id="console" data-guides="${pathOf(files, "guides.json")}"></div>
<noscript><main><h1>Carrel</h1><p>This server reads documents and answers questions over them, with sources. Its console needs JavaScript; the API is described at <a href="/docs">/docs</a>.</p></main></noscript>`,
  });
