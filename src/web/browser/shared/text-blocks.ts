import { copyText } from "./copy-text.ts";
import { strings } from "./strings.ts";

/** Puts a block of code into a part with a button that copies it: `copyCode` runs where it is pressed. */
export const addCopyButton = (code: HTMLPreElement): void => {
  const block = document.createElement("div");
  block.className = "code-block";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet copy-code";
  button.textContent = strings.copy;
  code.replaceWith(block);
  code.dir = "ltr";
  // A long line is scrolled to by keyboard too.
  code.tabIndex = 0;
  block.append(code, button);
};

/** Copies the block of code whose button was pressed, if one was. */
export const copyCode = async ({ target }: Event): Promise<void> => {
  const button = target instanceof Element ? target.closest(".copy-code") : null;
  if (button === null) return;
  if (await copyText(button.previousElementSibling?.textContent ?? "")) button.textContent = strings.copied;
};

/** A wide table scrolls in itself, by keyboard too. */
export const letScroll = (table: HTMLTableElement): void => {
  const part = document.createElement("div");
  part.className = "table-part";
  part.tabIndex = 0;
  part.setAttribute("role", "group");
  part.setAttribute("aria-label", strings.table);
  part.dir = table.dir;
  table.replaceWith(part);
  part.append(table);
};
