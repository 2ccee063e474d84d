/** Of `Computed`, which pages and commands get as JSON. */
interface ComputedJson {
  operation: "count" | "sum" | "mean" | "smallest" | "largest" | "none" | "filter" | "all" | "lookup";
  column: string | null;
  conditions: readonly string[];
  total: number;
}

/** How an answer was computed over a whole table, in a few words: "Counted over all 102 rows of Projects.csv; status: closed". */
export const computedWords = ({ operation, column, conditions, total }: ComputedJson, document: string): string => {
  const rows = `${total === 1 ? "the one row" : `all ${total} rows`} of ${document}`;
  const of = column === null ? "" : ` of ${column}`;
  const done = {
    count: `Counted over ${rows}`,
    sum: `Sum${of} in ${rows}`,
    mean: `Average${of} in ${rows}`,
    smallest: `Smallest value${of} in ${rows}`,
    largest: `Largest value${of} in ${rows}`,
    none: `Rows with nothing in ${column ?? "the column"}, from ${rows}`,
    filter: `Chosen from ${rows}`,
    all: `Read from ${rows}`,
    lookup: `Looked up in ${rows}`,
  }[operation];
  return [done, ...conditions].join("; ");
};
