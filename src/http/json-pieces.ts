import { slicesOf } from "../text/slices.ts";

/** Characters of a string that are written at a time: a fraction of a millisecond. */
const sliceCharacters = 64 * 1024;

/** A longer text is encoded with pauses for other work. */
export const maxWholeCharacters = 256 * 1024;

/** Whether the strings of a value, all of them together, are too long to be written at once. */
export const isLongJson = (value: unknown): boolean => lengthOf(value, 0) > maxWholeCharacters;

/** Characters of the strings in a value, counted no further than is needed. */
const lengthOf = (value: unknown, before: number): number => {
  if (typeof value === "string") return before + value.length;
  if (typeof value !== "object" || value === null) return before;
  let length = before;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    length = lengthOf(member, length);
    if (length > maxWholeCharacters) break;
  }
  return length;
};

/**
 * The JSON of a value in pieces of at most some 100,000 characters: joined, what `JSON.stringify` writes. For plain
 * objects, as answers are; a value with a `toJSON` of its own is written at once.
 */
export function* jsonPieces(value: unknown): Generator<string, void, void> {
  if (typeof value === "string" && value.length > sliceCharacters) {
    yield '"';
    for (const slice of slicesOf(value, sliceCharacters)) yield JSON.stringify(slice).slice(1, -1);
    yield '"';
  } else if (typeof value !== "object" || value === null || "toJSON" in value || !isLongJson(value)) {
    yield JSON.stringify(value) ?? "null";
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? "[" : ",";
      yield* jsonPieces(item);
    }
    yield "]";
  } else {
    let before = "{";
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonPieces(member);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  }
}
