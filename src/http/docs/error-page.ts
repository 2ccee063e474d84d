import { escapeHtml, htmlPage } from "../html-page.ts";
import { errorEntries } from "./error-notes.ts";

const introduction =
  "Every error is a problem document (RFC 9457, `application/problem+json`) with `type`, `title`, `status`, `detail`, " +
  "`instance`, a stable `code`, the `requestId` (also the header `X-Request-Id`) and, where fields are at fault, " +
  "`errors`: a list of `{path, message}`. `detail` says what to do next; test for `code`, not for words.";

/** `docs/errors.md`: made from the error table by `tools/write-docs.ts`. */
export const errorsMarkdown = (): string =>
  [
    "# Errors",
    "",
    introduction,
    "",
    "| status | code | meaning | what to do |",
    "|---|---|---|---|",
    ...errorEntries.map(({ status, code, title, note }) => `| ${status} | \`${code}\` | ${title} | ${note} |`),
    "",
  ].join("\n");

/** `/docs/errors`: the page that a problem document's `type` points to. @param prefix of every path */
export const errorsHtml = (prefix: string): string =>
  htmlPage(
    "Errors",
    `<p><a href="${prefix}/docs">Guides and API reference</a></p>
<h1>Errors</h1>
<p>${inline(introduction)}</p>
<dl>
${errorEntries
  .map(
    ({ status, code, title, note }) =>
      `<dt id="${code}"><code>${code}</code> ${status}</dt>\n<dd><strong>${escapeHtml(title)}.</strong> ${inline(note)}</dd>`,
  )
  .join("\n")}
</dl>`,
  );

const inline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
