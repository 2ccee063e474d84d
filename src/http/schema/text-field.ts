import { Kind, type TSchema, type TUnsafe, Type, TypeRegistry } from "@sinclair/typebox";
import { countCharacters, isUnclean, storedText } from "../../text/clean-text.ts";

/** What a text field requires beyond being a string. The schema holds all of it, so that the API page shows it. */
interface TextRules {
  /** In characters (code points). */
  maxLength?: number;
  /** May be empty or only white space. */
  blank?: boolean;
  /** White space around it does not count: the handler trims it. */
  trimmed?: boolean;
  /**
   * `refuse` (names, ids, titles): NUL or a lone surrogate is a fault. `clean` (text, questions, messages): it
   * comes to the handler as `storedText`, without control characters.
   */
  unclean?: "refuse" | "clean";
  /** For the OpenAPI document: the handler checks it, with its own message. */
  pattern?: string;
  description?: string;
  examples?: string[];
  format?: string;
  default?: string;
}

/** A character that is no white space. JavaScript counts the byte order mark as such, other languages do not. */
const solidCharacter = "[^\\s\\u0000\\uFEFF]";
/** Text without NUL. JSON Schema cannot describe lone surrogates; JSON in UTF-8 holds none. */
export const noNul = "^[^\\u0000]*$";

/** Pattern of text: not blank unless `blank`, without NUL where it `refuses` that. */
const patternOf = (blank: boolean, refuses: boolean): { pattern?: string } => {
  if (blank) return refuses ? { pattern: noNul } : {};
  const any = refuses ? "[^\\u0000]*" : "[\\s\\S]*";
  return { pattern: `^${any}${solidCharacter}${any}$` };
};

interface TextSchema extends TSchema {
  maxLength?: number;
  "x-blank": boolean;
  "x-trimmed": boolean;
  "x-unclean": "refuse" | "clean";
}

const kind = "CarrelText";

TypeRegistry.Set<TextSchema>(kind, (schema, value) => typeof value === "string" && textFault(schema, value) === null);

/** A string field. Unlike TypeBox's own it counts code points and knows blank and unclean strings. */
export const textField = (rules: TextRules = {}): TUnsafe<string> => {
  const { blank = true, trimmed = false, unclean = "refuse", ...shown } = rules;
  return Type.Unsafe<string>({
    [Kind]: kind,
    type: "string",
    ...(blank ? {} : { minLength: 1 }),
    ...patternOf(blank, unclean === "refuse"),
    ...shown,
    "x-blank": blank,
    "x-trimmed": trimmed,
    "x-unclean": unclean,
  });
};

export const isTextSchema = (schema: TSchema): schema is TextSchema => schema[Kind] === kind;

/** What is wrong with the string, in words that do not repeat it; null where nothing is. */
export const textFault = (schema: TextSchema, value: string): string | null => {
  if (schema["x-unclean"] === "refuse" && isUnclean(value)) return "must not contain NUL or lone surrogates";
  const cleaned = schema["x-unclean"] === "clean" ? storedText(value) : value;
  const text = schema["x-trimmed"] ? cleaned.trim() : cleaned;
  if (!schema["x-blank"] && text.trim() === "") return "must not be empty";
  if (schema.maxLength !== undefined && text.length > schema.maxLength && countCharacters(text) > schema.maxLength) {
    return `must be at most ${schema.maxLength} characters long`;
  }
  return null;
};
