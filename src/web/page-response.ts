import { escapeHtml, pageIcon } from "../http/html-page.ts";
import { htmlResponse } from "../http/respond.ts";

interface PageParts {
  title: string;
  /** Paths of style sheets and scripts on this server. */
  styles: readonly string[];
  scripts: readonly string[];
  /** Scripts that the others import, at once or as their first step. */
  parts?: readonly string[];
  /** Paths whose answers the scripts fetch first. */
  answers?: readonly string[];
  body: string;
  /** Origins whose pages may frame it; none: no page may. */
  framedBy?: readonly string[];
  /** Whether its script starts a worker, from a file of this server. */
  hasWorker?: boolean;
  status?: number;
}

/** A page may load only what this server serves as a file: no inline script, no inline style. */
const policyFor = ({ framedBy = [], hasWorker = false }: PageParts): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    // The second policy names one address: that of the worker (browser/console/views/document/pdf-pages.tsx).
    ...(hasWorker ? ["trusted-types dompurify carrel-worker", "worker-src 'self'"] : ["trusted-types dompurify"]),
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(" ")}`,
  ].join("; ");

/** A page of this server as an HTML answer. `title` is plain text, `body` is HTML. */
export const pageResponse = (page: PageParts): Response => {
  const { title, styles, scripts, parts = [], answers = [], body, status = 200 } = page;
  const imported = parts.filter((path) => !scripts.includes(path));
  return htmlResponse(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
${pageIcon}
${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join("\n")}
${scripts.map((path) => `<script type="module" src="${path}"></script>`).join("\n")}
${[
  ...imported.map((path) => `<link rel="modulepreload" href="${path}">`),
  // A script's fetch takes the answer of a preload where both are made the same way, as of another origin.
  ...answers.map((path) => `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(path)}">`),
].join("\n")}
</head>
<body>
${body}
</body>
</html>
`,
    { status, headers: { "content-security-policy": policyFor(page) } },
  );
};
