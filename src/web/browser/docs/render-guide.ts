import DOMPurify from "dompurify";
import { Marked } from "marked";
import { allowedAttributes, allowedTags, escaped } from "../shared/markdown.ts";
import { addCopyButton, letScroll } from "../shared/text-blocks.ts";
import { createIds, type GuideLink } from "./guide-text.ts";
import { strings } from "./strings.ts";

/** Other hosts, and the places of this page and of the console. */
const allowedAddress = /^(?:https?:|mailto:|\/(?!\/)|#)/i;
const comment = /^<!--[^<>]*-->\s*$/;
/** All HTML that the guides use: a line ends within the cell of a table. */
const lineEnd = "<br>";

/**
 * The Markdown of a guide as elements: its headings have ids and a link to themselves, its code can be copied, wide tables
 * scroll in themselves. Pictures are left out, since the server does not carry them.
 */
export const renderGuide = (markdown: string, resolve: (href: string) => GuideLink): DocumentFragment => {
  const html = new Marked({
    async: false,
    gfm: true,
    renderer: {
      html: ({ text }) => (comment.test(text) ? "" : text === lineEnd ? lineEnd : escaped(text)),
      image: () => "",
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens);
        const link = resolve(href);
        if ("unlinked" in link)
          return shown.includes(escaped(link.unlinked)) ? shown : `${shown} (<code>${escaped(link.unlinked)}</code>)`;
        return `<a href="${escaped(link.address)}">${shown}</a>`;
      },
    },
  }).parse(markdown, { async: false });
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOWED_URI_REGEXP: allowedAddress,
    RETURN_DOM_FRAGMENT: true,
  });
  const idOf = createIds();
  for (const heading of fragment.querySelectorAll<HTMLElement>("h1, h2, h3, h4, h5, h6")) nameHeading(heading, idOf);
  for (const link of fragment.querySelectorAll<HTMLAnchorElement>("a[href^=http]")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  }
  for (const code of fragment.querySelectorAll("pre")) addCopyButton(code);
  for (const table of fragment.querySelectorAll("table")) {
    if (table.textContent?.trim() === "") table.remove();
    else letScroll(table);
  }
  // A paragraph of pictures alone.
  for (const paragraph of fragment.querySelectorAll("p")) if (paragraph.textContent?.trim() === "") paragraph.remove();
  return fragment;
};

const nameHeading = (heading: HTMLElement, idOf: (text: string) => string): void => {
  const text = heading.textContent ?? "";
  heading.id = idOf(text);
  heading.tabIndex = -1;
  if (heading.tagName === "H1") return;
  const link = document.createElement("a");
  link.className = "anchor";
  link.href = `#${heading.id}`;
  link.textContent = "#";
  link.setAttribute("aria-label", strings.linkTo(text));
  heading.append(" ", link);
};
