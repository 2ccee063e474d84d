import { createHash } from "node:crypto";

/** Text for HTML content and attribute values. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** An empty icon: without it browsers request `/favicon.ico`. */
export const pageIcon = '<link rel="icon" href="data:,">';

/** The colors and type of the other pages (src/web/browser/shared/tokens.css). */
const style = `
:root { color-scheme: light dark; --paper: #fbfaf7; --raised: #fff; --ink: #1d1c1a; --quiet: #625e56; --line: #e4e0d8; --accent: #1f4f8a; }
@media (prefers-color-scheme: dark) { :root { --paper: #171614; --raised: #1f1d1b; --ink: #ebe7df; --quiet: #a39d92; --line: #302d29; --accent: #8ab4f0; } }
body { margin: 0 auto; padding: 48px 24px; max-width: 46rem; background: var(--paper); color: var(--ink); font: 17px/28px "Iowan Old Style", Charter, Georgia, serif; overflow-wrap: anywhere; }
h1 { font: 600 28px/36px system-ui, sans-serif; }
a { color: var(--accent); }
code { font: 14px/22px ui-monospace, monospace; padding: 1px 4px; border: 1px solid var(--line); border-radius: 4px; background: var(--raised); }
dt { margin-top: 24px; scroll-margin-top: 24px; font-weight: 600; font-family: system-ui, sans-serif; color: var(--quiet); }
dt code { color: var(--ink); }
dt:target { outline: 2px solid var(--accent); outline-offset: 4px; }
dd { margin: 4px 0 0; }
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
