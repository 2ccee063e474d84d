import { isStrings, parseJson } from "../engine/cells.ts";
import { type MetaEntry, schemaKey } from "../engine/meta-rows.ts";
import type { StoreTable } from "../engine/store-table.ts";

const notePrefix = "segments:";
/** Programs that know no other schema than those before would take the later segments for tables of nobody. */
const segmentsSchema = 2;
const noteOf = (base: string): string => notePrefix + base;

/** The name of a segment after the first, whose table has the name of all. */
export const segmentName = (base: string, number: number): string => `${base}_${number}`;

/** @returns null for the first segment of an index, or another table */
const laterSegment = (table: string): { base: string; number: number } | null => {
  const [, base, number] = /^(.+)_(\d{1,6})$/.exec(table) ?? [];
  return base === undefined ? null : { base, number: Number(number) };
};

/** What all segments of an index are named after. */
export const baseOf = (table: string): string => laterSegment(table)?.base ?? table;

/** By their numbers; the first one, which has none, comes first. */
export const inOrder = (tables: readonly string[]): string[] =>
  tables.toSorted((one, other) => numberOf(one) - numberOf(other));

export const numberOf = (table: string): number => laterSegment(table)?.number ?? 1;

/**
 * Names the tables that the rows of each index are in, in one row of `meta` for each: every change is one commit. An index
 * without a row has one table, under its own name.
 */
export interface SegmentCatalog {
  /** Oldest first. */
  tablesOf(base: string): readonly string[];
  /** On the disk when it resolves. */
  set(base: string, tables: readonly string[]): Promise<void>;
  /** Those that have a row. */
  bases(): string[];
  forget(bases: readonly string[]): Promise<void>;
  /** Whether it may have lost rows. */
  readonly isIncomplete: boolean;
}

/** @param isIncomplete whether `meta` was restored without all of its rows */
export const openCatalog = async (
  meta: Pick<StoreTable<MetaEntry>, "find" | "count" | "upsert" | "remove">,
  isIncomplete: boolean,
): Promise<SegmentCatalog> => {
  const entries = await meta.find({});
  const named = new Map<string, readonly string[]>();
  let isMarked = entries.some(({ id, value }) => id === schemaKey && Number(value) >= segmentsSchema);
  for (const { id, value } of entries)
    if (id.startsWith(notePrefix)) named.set(id.slice(notePrefix.length), parseJson(value, isStrings));

  return {
    tablesOf: (base) => named.get(base) ?? [base],
    async set(base, tables) {
      const note = { id: noteOf(base), value: JSON.stringify(tables) };
      const mark = isMarked ? [] : [{ id: schemaKey, value: String(segmentsSchema) }];
      await meta.upsert(
        [note, ...mark].map(({ id }) => id),
        [note, ...mark],
      );
      named.set(base, tables);
      isMarked = true;
    },
    bases: () => [...named.keys()],
    async forget(bases) {
      const known = bases.filter((base) => named.delete(base)).map(noteOf);
      if (known.length > 0) await meta.remove(known, "id", known);
    },
    isIncomplete: isIncomplete || (await meta.count()) > entries.length, // a damaged row is not found
  };
};
