import type { MarkupElement } from "../../markup/markup.ts";

const unread = new Set(
  (
    "script style noscript template svg iframe object embed canvas video audio map head title meta link input select " +
    "button textarea datalist dialog"
  ).split(" "),
);
const blockLevel = new Set(
  (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer " +
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre search section summary table ul " +
    "caption tbody thead tfoot tr td th legend"
  ).split(" "),
);

export const isBlockLevel = (element: MarkupElement): boolean => blockLevel.has(element.name);

/** Whether an element shows no text of the page: hidden by the author, or of a kind that holds none. */
export const isHidden = ({ name, attributes }: MarkupElement): boolean =>
  unread.has(name) ||
  // The panels of tabs are hidden one by one and belong to the page all the same.
  (attributes.role !== "tabpanel" && isConcealed(attributes));

const isConcealed = (attributes: MarkupElement["attributes"]): boolean =>
  attributes.hidden !== undefined ||
  attributes["aria-hidden"] === "true" ||
  /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.style ?? "");
