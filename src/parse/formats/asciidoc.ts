import type { Content } from "../blocks/blocks.ts";
import { tidyTitle } from "../blocks/tidy-text.ts";
import { readHtmlFragment } from "./html/html.ts";

/** No list of contents, no styles, no labels such as "Table 1." before captions. */
const attributes = {
  "toc!": "",
  "stylesheet!": "",
  "table-caption!": "",
  "figure-caption!": "",
  "example-caption!": "",
};

/** AsciiDoc, as the HTML that Asciidoctor makes of it without opening any other file. */
export const readAsciidoc = async (text: string): Promise<Content> => {
  const { load, LoggerManager, NullLogger } = await import("@asciidoctor/core");
  LoggerManager.logger = NullLogger.create();
  const document = await load(text, { safe: "secure", standalone: true, attributes: { ...attributes, nofooter: "" } });
  const html = String(await document.convert())
    // A table frames each note, with its kind in the first cell.
    .replace(
      /<td class="icon">\n<div class="title">([^<>\n]{1,100})<\/div>\n<\/td>\n<td class="content">\n(<div class="paragraph">\n<p>)?/g,
      "<td>$2$1: ",
    )
    .replace(/\[(<a id="_footnoteref_\d{1,6}"[^<>]{1,200}>\d{1,6}<\/a>)\]/g, "$1")
    .replace(/(<a href="#_footnoteref_\d{1,6}">\d{1,6}<\/a>)\. /g, "$1 ")
    .replace(/\\\$|\\[()]/g, "$$");
  return {
    title: tidyTitle(document.getDocumentTitle()?.toString()),
    blocks: readHtmlFragment(html, null),
    warnings: [],
  };
};
