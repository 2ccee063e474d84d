import { createHash } from "node:crypto";

/** Text for HTML content and attribute values. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** The API's page loads only what this server serves. Its script sets styles inline. */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** An empty icon: without it browsers request `/favicon.ico`. */
export const pageIcon = '<link rel="icon" href="data:,">';

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1.25rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.92em; }
pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; }
dt { margin-top: 1.25rem; font-weight: 600; }
dt:target { outline: 2px solid; outline-offset: 4px; }
dd { margin: 0.2rem 0 0; }
`;

/** A plain page has only this style and no script. The hash admits it without `unsafe-inline`. */
export const plainPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "img-src data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A plain page of Carrel: it has no script and loads nothing. */
export const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Carrel</title>
${pageIcon}
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
