import { type Block, type Content, unreadable } from "../blocks/blocks.ts";
import { checkTableSize } from "../blocks/grid.ts";
import { oneLine } from "../blocks/tidy-text.ts";
import { coreProperties, titleOf } from "../markup/file-properties.ts";
import {
  childNamed,
  childrenNamed,
  descendant,
  descendants,
  type MarkupElement,
  readMarkup,
  textOf,
} from "../markup/markup.ts";
import { decodeText } from "./charset.ts";
import { openZip, type UnpackBudget, type ZipFile } from "./zip.ts";

/** Namespaces of Office Open XML, transitional and strict, under the prefixes that the readers use. */
const namespaces = new Map(
  Object.entries({
    w: ["schemas.openxmlformats.org/wordprocessingml/2006/main", "purl.oclc.org/ooxml/wordprocessingml/main"],
    a: ["schemas.openxmlformats.org/drawingml/2006/main", "purl.oclc.org/ooxml/drawingml/main"],
    p: ["schemas.openxmlformats.org/presentationml/2006/main", "purl.oclc.org/ooxml/presentationml/main"],
    p188: ["schemas.microsoft.com/office/powerpoint/2018/8/main"],
    c: ["schemas.openxmlformats.org/drawingml/2006/chart", "purl.oclc.org/ooxml/drawingml/chart"],
    r: [
      "schemas.openxmlformats.org/officeDocument/2006/relationships",
      "purl.oclc.org/ooxml/officeDocument/relationships",
    ],
    m: ["schemas.openxmlformats.org/officeDocument/2006/math", "purl.oclc.org/ooxml/officeDocument/math"],
    "": [
      "schemas.openxmlformats.org/spreadsheetml/2006/main",
      "purl.oclc.org/ooxml/spreadsheetml/main",
      "schemas.openxmlformats.org/package/2006/relationships",
    ],
  }).flatMap(([prefix, uris]) => uris.map((uri): [string, string] => [`http://${uri}`, prefix])),
);

export interface Relation {
  /** Last part of the type's address, such as `slide`. */
  type: string;
  /** Path inside the package, or the address of what lies outside. */
  target: string;
  isExternal: boolean;
}

/** An Office Open XML file (ECMA-376, part 2). */
export interface OfficePackage {
  readonly zip: ZipFile;
  /** The part's root element, or null where there is no such part. */
  part(path: string): MarkupElement | null;
  /** The text of a part, for readers that need no tree. */
  partText(path: string): string | null;
  /** Relations of a part by id; those of the package itself for "". */
  relations(path: string): Map<string, Relation>;
  /** Path of the main part. @throws ApiError 422 where there is none */
  readonly mainPath: string;
  /** Title in the document's properties. */
  readonly title: string | null;
  /** What else they state. */
  readonly stated: Pick<Content, "properties">;
}

/** @throws ApiError 422 `unreadable_file` */
export const openOfficePackage = (bytes: Uint8Array, budget: UnpackBudget): OfficePackage => {
  const zip = openZip(bytes, budget);
  // Names in packages are compared without regard to case (ECMA-376-2, 9.1.1), and some begin with a slash.
  const names = new Map(zip.names.map((name) => [normalized(name), name]));
  const partText = (path: string): string | null => {
    const name = names.get(normalized(path));
    const data = name === undefined ? null : zip.read(name);
    return data ? decodeText(data, null).text : null;
  };
  const part = (path: string): MarkupElement | null => {
    const text = partText(path);
    return text === null ? null : readMarkup(text, "xml", namespaces);
  };
  const relations = (path: string): Map<string, Relation> => {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const root = part(`${folder}_rels/${path.slice(folder.length)}.rels`);
    const list = root ? childrenNamed(descendant(root, "Relationships"), "Relationship") : [];
    return new Map(list.map(({ attributes }) => [attributes.Id ?? "", relation(attributes, folder)]));
  };
  const main = [...relations("").values()].find(({ type }) => type === "officeDocument");
  if (!main) throw unreadable("The file is broken: it lacks its main part.");
  const core = [...relations("").values()].find(({ type }) => type === "core-properties");
  const properties = core ? part(core.target) : null;
  return {
    zip,
    part,
    partText,
    relations,
    mainPath: main.target,
    title: titleOf(textOf(descendant(properties, "dc:title"))),
    stated: coreProperties(properties),
  };
};

const normalized = (path: string): string => path.replace(/^\/+/, "").replaceAll("\\", "/").toLowerCase();

const relation = (attributes: Record<string, string>, folder: string): Relation => {
  const target = attributes.Target ?? "";
  const isExternal = attributes.TargetMode === "External";
  return {
    type: (attributes.Type ?? "").split("/").at(-1) ?? "",
    target: isExternal ? target : resolved(folder, target),
    isExternal,
  };
};

const resolved = (folder: string, target: string): string => {
  const parts = (target.startsWith("/") ? target : `${folder}${target}`).split("/");
  const path: string[] = [];
  for (const part of parts) {
    if (part === "..") path.pop();
    else if (part !== "" && part !== ".") path.push(part);
  }
  return path.join("/");
};

const maxPoints = 5_000;

/** A chart's title and the values it was drawn from, a column a series. */
export const chartTable = (root: MarkupElement): Block[] => {
  const series = descendants(root, "c:ser");
  if (series.length === 0) return [];
  const columns = series.map((part) => ({
    name: [...points(childNamed(part, "c:tx")).values()].join(" "),
    values: points(childNamed(part, "c:val") ?? childNamed(part, "c:yVal")),
  }));
  const labels = points(
    series.map((part) => childNamed(part, "c:cat") ?? childNamed(part, "c:xVal")).find(Boolean) ?? null,
  );
  const indexes = [...new Set([...labels.keys(), ...columns.flatMap(({ values }) => [...values.keys()])])]
    .sort((a, b) => a - b)
    .slice(0, maxPoints);
  checkTableSize(indexes.length, columns.length);
  const rows = indexes.map((index) => [
    labels.get(index) ?? String(index + 1),
    ...columns.map(({ values }) => values.get(index) ?? ""),
  ]);
  const title = oneLine(
    descendants(childNamed(descendant(root, "c:chart"), "c:title") ?? root, "a:t")
      .map(textOf)
      .join(""),
  );
  const head: Block[] = title === "" ? [] : [{ kind: "paragraph", text: title }];
  return [...head, { kind: "table", rows: [["", ...columns.map(({ name }) => name)], ...rows] }];
};

const points = (element: MarkupElement | null): Map<number, string> => {
  if (!element) return new Map();
  const found = descendants(element, "c:pt").map((point): [number, string] => [
    Number(point.attributes.idx ?? "0"),
    oneLine(textOf(childNamed(point, "c:v"))),
  ]);
  const direct = found.length === 0 ? oneLine(textOf(descendant(element, "c:v"))) : "";
  return direct === "" ? new Map(found) : new Map([[0, direct]]);
};

/** The texts of a diagram (SmartArt), an item each. */
export const diagramItems = (root: MarkupElement): Block[] =>
  descendants(root, "dgm:t").flatMap((part): Block[] => {
    const text = oneLine(descendants(part, "a:t").map(textOf).join(" "));
    return text === "" ? [] : [{ kind: "item", depth: 0, marker: "-", text }];
  });
