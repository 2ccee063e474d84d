import Papa from "papaparse";
import type { Content } from "../blocks/blocks.ts";
import { unreadable } from "../blocks/failure.ts";
import { rowBlocks } from "../blocks/sheet-blocks.ts";

/** A table of comma-, semicolon-, tab- or bar-separated values; the delimiter is found unless given. */
export const readDelimited = (text: string, delimiter: "\t" | null): Content => {
  const stated = /^sep=(.)\r?\n/i.exec(text);
  const body = stated ? text.slice(stated[0].length) : text;
  const { data, errors } = Papa.parse<string[]>(body.replace(/^\ufeff/, "").trim(), {
    delimiter: stated?.[1] ?? delimiter ?? "",
    delimitersToGuess: [",", ";", "\t", "|"],
  });
  if (data.length === 0 && errors.length > 0) throw unreadable("The file is no table of separated values.");
  // One column is a list of lines.
  if (data.every((row) => row.length <= 1)) {
    return {
      title: null,
      blocks: [{ kind: "verbatim", text: data.map((row) => row[0] ?? "").join("\n") }],
      warnings: [],
    };
  }
  return { title: null, blocks: rowBlocks(data.map((cells, row) => ({ row, cells }))), warnings: [] };
};
