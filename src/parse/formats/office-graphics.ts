import type { Block } from "../blocks/blocks.ts";
import { checkTableSize } from "../blocks/grid.ts";
import { oneLine } from "../blocks/tidy-text.ts";
import { childNamed, descendant, descendants, type MarkupElement, textOf } from "../markup/markup.ts";

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
