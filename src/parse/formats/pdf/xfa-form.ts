import type { Block } from "../../blocks/blocks.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import {
  childElements,
  childNamed,
  childrenNamed,
  descendant,
  type MarkupElement,
  readMarkup,
  textOf,
} from "../../markup/markup.ts";
import { readXmlData, topOf } from "../xml/xml.ts";

const maxBlocks = 20_000;

/**
 * An XFA form as it would be shown: its texts and the captions of its fields with their values, in their order. What the
 * data hold besides is listed by its names.
 */
export const readXfaForm = (template: string | null, data: string | null): Block[] => {
  const listed = data === null ? [] : readXmlData(topOf(data)).blocks;
  const form = template === null ? null : descendant(readMarkup(template, "xml"), "template");
  if (form === null) return listed;
  const root = data === null ? null : descendant(readMarkup(data, "xml"), "xfa:data");
  const lines: string[] = [];
  const used = new Set<MarkupElement>();
  /** A text just before a field without a caption is its name. */
  let isText = false;

  const say = (label: string, value: string): void => {
    if (value === "" && label === "") return;
    if (isText && label === "") lines.push(`${(lines.pop() ?? "").replace(/:$/, "")}: ${value}`);
    else lines.push(value === "" ? label : `${label.replace(/:$/, "")}: ${value}`);
    isText = false;
  };

  const show = (element: MarkupElement, at: MarkupElement | null): void => {
    for (const part of childElements(element)) {
      if (lines.length > maxBlocks || /^(?:hidden|invisible)$/.test(part.attributes.presence ?? "")) continue;
      const name = part.attributes.name ?? "";
      const own = at === null || name === "" ? [] : childrenNamed(at, name);
      if (part.name === "draw") {
        const text = textIn(part);
        if (text !== "") lines.push(text);
        isText = text !== "";
      } else if (part.name === "field" || part.name === "exclGroup") {
        const held = own.find((one) => !used.has(one));
        if (held !== undefined) used.add(held);
        const value = held === undefined ? textIn(part) : oneLine(textOf(held));
        const hint = value === "" ? "" : oneLine(textOf(descendant(part, "toolTip"))) || (isText ? "" : name);
        say(captionOf(part) || hint, shownValue(part, value));
      } else if (/^(?:subform|subformSet|area)$/.test(part.name)) {
        if (own.length === 0) show(part, at);
        for (const instance of own) show(part, instance);
      }
    }
  };
  show(form, root);
  const said = new Set(["", ...lines.flatMap((line) => [line, line.slice(line.indexOf(": ") + 2)])]);
  const isComplete = root === null || leavesOf(root).every((leaf) => used.has(leaf) || said.has(oneLine(textOf(leaf))));
  const blocks = lines.map((text): Block => ({ kind: "paragraph", text }));
  return isComplete ? blocks : [...blocks, ...listed];
};

const leavesOf = (element: MarkupElement): MarkupElement[] => {
  const inner = childElements(element);
  return inner.length === 0 ? [element] : inner.flatMap(leavesOf);
};

const textIn = (element: MarkupElement): string => oneLine(textOf(childNamed(element, "value")));
const captionOf = (element: MarkupElement): string => {
  const caption = childNamed(element, "caption");
  return caption === null ? "" : textIn(caption);
};

/** What a form shows for a value: the text of a choice, the caption of the chosen button, a box. */
const shownValue = (field: MarkupElement, value: string): string => {
  if (field.name === "exclGroup") {
    const chosen = childrenNamed(field, "field").find((one) => itemsOf(one)[0]?.[0] === value);
    return chosen === undefined ? value : captionOf(chosen) || value;
  }
  const lists = itemsOf(field);
  if (descendant(field, "checkButton") !== null) return value !== "" && value === lists[0]?.[0] ? "☒" : "☐";
  const [shown = [], stored = shown] = lists;
  return shown[stored.indexOf(value)] ?? value;
};

/** The choices of a field: as they are shown, and where that differs, as they are stored. */
const itemsOf = (field: MarkupElement): string[][] =>
  childrenNamed(field, "items")
    .toSorted((a, b) => Number(a.attributes.save ?? 0) - Number(b.attributes.save ?? 0))
    .map((items) => childElements(items).map((item) => oneLine(textOf(item))));
