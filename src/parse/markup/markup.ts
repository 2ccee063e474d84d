import { Parser } from "htmlparser2";
import { unreadable } from "../blocks/blocks.ts";

/** One element of an HTML or XML file. */
export interface MarkupElement {
  name: string;
  attributes: Record<string, string>;
  children: MarkupNode[];
}

export type MarkupNode = MarkupElement | string;

/** With more open elements, finding the one that an end tag closes takes longer than reading the rest of the file. */
const maxOpenElements = 25_000;

/**
 * Deeper elements become children of the element at this depth, so that recursion over the tree cannot overflow the
 * stack.
 */
const maxDepth = 400;

/**
 * Reads markup leniently into a tree. Only the five XML entities (in HTML: all named ones) are known: what a document
 * type declares is never expanded. In XML mode, prefixes of the namespaces in `prefixes` are made the ones given there.
 */
export const readMarkup = (
  text: string,
  mode: "html" | "xml",
  prefixes: ReadonlyMap<string, string> = new Map(),
): MarkupElement => {
  const root: MarkupElement = { name: "", attributes: {}, children: [] };
  const open: MarkupElement[] = [root];
  const scopes: { depth: number; renamed: ReadonlyMap<string, string> }[] = [];
  const append = (child: MarkupNode) => {
    const parent = open[Math.min(open.length, maxDepth) - 1] ?? root;
    const last = parent.children.length - 1;
    const before = parent.children[last];
    if (typeof child === "string" && typeof before === "string") parent.children[last] = before + child;
    else parent.children.push(child);
  };
  const canonical = (name: string): string => {
    const renamed = scopes.at(-1)?.renamed;
    if (renamed === undefined) return name;
    const colon = name.indexOf(":");
    const prefix = renamed.get(name.slice(0, Math.max(colon, 0)));
    return prefix === undefined ? name : `${prefix}${prefix === "" ? "" : ":"}${name.slice(colon + 1)}`;
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const declared = prefixes.size === 0 ? null : declarations(attributes, prefixes);
        if (declared) {
          scopes.push({ depth: open.length, renamed: new Map([...(scopes.at(-1)?.renamed ?? []), ...declared]) });
        }
        const element: MarkupElement = {
          name: canonical(name),
          attributes: scopes.length === 0 ? attributes : renamedKeys(attributes, canonical),
          children: [],
        };
        append(element);
        open.push(element);
        if (open.length > maxOpenElements)
          throw unreadable(
            `More than ${maxOpenElements} elements are nested in one another. Close elements where they end.`,
          );
      },
      onclosetag() {
        if (open.length > 1) open.pop();
        if (scopes.at(-1)?.depth === open.length) scopes.pop();
      },
      ontext: append,
    },
    mode === "xml" ? { xmlMode: true, decodeEntities: true } : { decodeEntities: true },
  );
  parser.end(text);
  return root;
};

/** Prefixes that an element binds to known namespaces, each with the prefix we know it by; null where there is none. */
const declarations = (
  attributes: Record<string, string>,
  prefixes: ReadonlyMap<string, string>,
): Map<string, string> | null => {
  const found = new Map<string, string>();
  for (const [name, uri] of Object.entries(attributes)) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    const known = prefixes.get(uri);
    if (known !== undefined) found.set(name.slice(6), known);
  }
  return found.size > 0 ? found : null;
};

const renamedKeys = (
  attributes: Record<string, string>,
  canonical: (name: string) => string,
): Record<string, string> => {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) result[name.includes(":") ? canonical(name) : name] = value;
  return result;
};

export const isElement = (node: MarkupNode | undefined): node is MarkupElement =>
  node !== undefined && typeof node !== "string";

export const childElements = (element: MarkupElement): MarkupElement[] => element.children.filter(isElement);

/** First child of that name, or null. */
export const childNamed = (element: MarkupElement | null, name: string): MarkupElement | null =>
  (element?.children.find((child) => isElement(child) && child.name === name) as MarkupElement | undefined) ?? null;

export const childrenNamed = (element: MarkupElement | null, name: string): MarkupElement[] =>
  element === null ? [] : childElements(element).filter((child) => child.name === name);

/** Every element below of one of the names, in document order; does not look inside those it found. */
export const descendants = (element: MarkupElement, ...names: string[]): MarkupElement[] => {
  const found: MarkupElement[] = [];
  const look = (inside: MarkupElement): void => {
    for (const child of childElements(inside)) {
      if (names.includes(child.name)) found.push(child);
      else look(child);
    }
  };
  look(element);
  return found;
};

export const descendant = (element: MarkupElement | null, name: string): MarkupElement | null => {
  if (element === null) return null;
  for (const child of childElements(element)) {
    const found = child.name === name ? child : descendant(child, name);
    if (found) return found;
  }
  return null;
};

/** All text below an element, unchanged. */
export const textOf = (node: MarkupNode | null): string => {
  if (node === null) return "";
  if (typeof node === "string") return node;
  let text = "";
  for (const child of node.children) text += textOf(child);
  return text;
};
