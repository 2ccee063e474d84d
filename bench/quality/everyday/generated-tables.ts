import type { Ask, Half, Upload } from "./ask.ts";

/** A long table, and what is asked of it. The same number of rows gives the same table. */
export interface GeneratedTable {
  document: Upload;
  asks: Ask[];
}

/** As people write it: 100000, 100,000, 100.000 or 100 000. */
const numberPattern = (value: number): string =>
  `${String(value).replace(/\B(?=(\d{3})+$)/g, "[,. \u00a0\u202f]?")}(?!\\d|[.,]\\d)`;
const code = (prefix: string, at: number): string => `${prefix}-${String(at).padStart(6, "0")}`;
const decimals = (value: number): string => (value / 100).toFixed(2);

const document = (name: string, head: string, lines: readonly string[]): Upload => ({
  name,
  bytes: new TextEncoder().encode(`${[head, ...lines].join("\n")}\n`),
});

type Wanted = Pick<Ask, "kind" | "turns" | "language" | "mustMatch"> & { mustNotMatch?: string[] };
const asksOf = (half: Half, wanted: readonly Wanted[]): Ask[] =>
  wanted.map((ask, at) => ({
    id: `${half.slice(0, 1)}-table-of-code-${at + 1}`,
    scope: null,
    expects: "answer",
    mustNotMatch: [],
    ...ask,
  }));

const parcels = (rows: number): GeneratedTable => {
  const depots = ["Ludbrook", "Norcombe", "Hasle", "Tarnley", "Ottery"];
  const heaviest = Math.ceil(rows * 0.7);
  const lost = Math.floor(rows / 53);
  const weightOf = (at: number): string => (at === heaviest ? "63.40" : decimals(120 + ((at * 7919) % 4980)));
  const lines = Array.from({ length: rows }, (_, index) => {
    const at = index + 1;
    const status = at % 53 === 0 ? "lost" : at % 7 === 0 ? "on the way" : "delivered";
    return [code("PX", at), depots[at % depots.length], weightOf(at), status].join(",");
  });
  return {
    document: document("Parcel log.csv", "parcel,depot,weight_kg,status", lines),
    asks: asksOf("develop", [
      { kind: "count", language: "en", turns: ["How many parcels are in the log?"], mustMatch: [numberPattern(rows)] },
      { kind: "count", language: "en", turns: ["how many parcels are lost"], mustMatch: [numberPattern(lost)] },
      {
        kind: "superlative",
        language: "en",
        turns: ["Which parcel is the heaviest?"],
        mustMatch: [code("PX", heaviest)],
        mustNotMatch: [code("PX", 1)],
      },
      {
        kind: "table",
        language: "en",
        turns: ["What is the weight of PX-000417?"],
        mustMatch: [weightOf(417).replace(".", "\\.")],
      },
    ]),
  };
};

const readings = (rows: number): GeneratedTable => {
  const streets = ["Ahornweg", "Buchenweg", "Erlenweg", "Ulmenweg"];
  const lowest = Math.ceil(rows * 0.4);
  const faulty = Math.floor(rows / 41);
  const readingOf = (at: number): number => (at === lowest ? 3 : 40 + ((at * 6151) % 5200));
  const lines = Array.from({ length: rows }, (_, index) => {
    const at = index + 1;
    return [code("WZ", at), streets[at % streets.length], readingOf(at), at % 41 === 0 ? "defekt" : "in Ordnung"].join(
      ";",
    );
  });
  return {
    document: document("Zählerstände.csv", "Zähler;Straße;Stand_m3;Zustand", lines),
    asks: asksOf("heldout", [
      {
        kind: "count",
        language: "de",
        turns: ["Wie viele Zähler stehen in der Liste der Zählerstände?"],
        mustMatch: [numberPattern(rows)],
      },
      { kind: "count", language: "de", turns: ["wie viele zähler sind defekt"], mustMatch: [numberPattern(faulty)] },
      {
        kind: "superlative",
        language: "de",
        turns: ["Welcher Zähler hat den niedrigsten Stand?"],
        mustMatch: [code("WZ", lowest)],
        mustNotMatch: [code("WZ", 1)],
      },
      {
        kind: "table",
        language: "de",
        turns: ["In welcher Straße ist der Zähler WZ-000208?"],
        mustMatch: [streets[208 % streets.length] ?? ""],
      },
    ]),
  };
};

/** A table of so many rows (at least 420) for each half of the first set. */
export const generatedTables: Partial<Record<Half, (rows: number) => GeneratedTable>> = {
  develop: parcels,
  heldout: readings,
};
