import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ApiError } from "../../src/domain/errors.ts";
import { parseFile } from "../../src/parse/parse-file.ts";

/** A text, `re:` and a Python regular expression, or several of which one must be there. */
type Wanted = string | string[];

/** What a file must be read as; `test/fixtures/cases/README.md` describes it. */
interface Expectation {
  status?: number | number[];
  must?: Wanted[];
  mustNot?: string[];
  ordered?: boolean;
  warnings?: string;
  detail?: string;
  either?: Expectation[];
}

/** A small file that was read wrongly once. */
interface FileCase {
  /** `<kind>/<name>`. */
  name: string;
  input: string;
  expected: Expectation;
}

export interface Outcome {
  status: number;
  text: string;
  warnings: string[];
  detail: string;
}

export const casesFolder = resolve(import.meta.dir, "../../test/fixtures/cases/files");

/** The cases of a folder, by kind and name. */
export const readCases = async (folder: string): Promise<FileCase[]> => {
  const cases: FileCase[] = [];
  for (const path of [...new Bun.Glob("*/*/expected.json").scanSync(folder)].sort()) {
    const at = join(folder, path, "..");
    const input = readdirSync(at).find((file) => file.startsWith("input."));
    if (input === undefined) throw new Error(`${path} has no input beside it.`);
    cases.push({
      name: path.replace(/\/expected\.json$/, ""),
      input: join(at, input),
      expected: await Bun.file(join(folder, path)).json(),
    });
  }
  return cases;
};

/** Reads the input of a case under its own name, as a client sends it that knows no media type. */
export const readCase = async ({ input }: FileCase): Promise<Outcome> => {
  try {
    const file = { name: basename(input), mimeType: "application/octet-stream" };
    const options = { maxUnpackedBytes: 50_000_000, maxPages: 5_000, maxTextLength: 10_000_000, ocr: null };
    const { text, warnings } = await parseFile({ ...file, bytes: await Bun.file(input).bytes() }, options);
    return { status: 200, text, warnings, detail: "" };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, text: "", warnings: [], detail: error.message };
  }
};

/** What an outcome lacks; empty where it is as expected. */
export const faultsOf = (outcome: Outcome, expected: Expectation): string[] => {
  const faults: string[] = [];
  const statuses = [expected.status ?? outcome.status].flat();
  if (!statuses.includes(outcome.status)) faults.push(`status ${outcome.status} ${outcome.detail}`);
  const { text } = outcome;
  let from = 0;
  for (const wanted of expected.must ?? []) {
    const ends = [wanted].flat().map((one) => endOf(text, one, expected.ordered ? from : 0));
    const found = ends.filter((end) => end >= 0);
    if (found.length === 0) faults.push(`lacks ${JSON.stringify(wanted)}`);
    else from = Math.min(...found);
  }
  for (const unwanted of expected.mustNot ?? [])
    if (endOf(text, unwanted, 0) >= 0) faults.push(`holds ${JSON.stringify(unwanted)}`);
  if (expected.warnings !== undefined && !pattern(expected.warnings).test(outcome.warnings.join("\n")))
    faults.push(`warnings ${JSON.stringify(outcome.warnings)}`);
  if (expected.detail !== undefined && !pattern(expected.detail).test(outcome.detail))
    faults.push(`detail ${JSON.stringify(outcome.detail)}`);
  const either = expected.either?.map((one) => faultsOf(outcome, one)) ?? [];
  if (either.length > 0 && !either.some((one) => one.length === 0)) faults.push(`none of: ${either.join(" / ")}`);
  return faults;
};

/** Bold type and escaped punctuation do not count. */
const plain = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/\*\*/g, "")
    .replace(/\\(?=[!-/:-@[-`{-~])/g, "");

/** Nor do kinds of blanks, but for a regular expression. */
const comparable = (text: string): string => plain(text).replace(/\s+/g, " ");

/** Where what is wanted ends, as a share of the text; -1 where it is not there. */
const endOf = (text: string, wanted: string, from: number): number => {
  if (!wanted.startsWith("re:")) {
    const [all, part] = [comparable(text), comparable(wanted)];
    const at = all.indexOf(part, Math.floor(from * all.length));
    return at < 0 ? -1 : (at + part.length) / all.length;
  }
  const all = plain(text);
  const expression = pattern(wanted.slice(3), "g");
  expression.lastIndex = Math.floor(from * all.length);
  const found = expression.exec(all);
  return found === null ? -1 : (found.index + found[0].length) / all.length;
};

/** A Python regular expression: its flags may stand before it. */
const pattern = (written: string, flags = ""): RegExp => {
  const [stated, inner = ""] = /^\(\?([ims]+)\)/.exec(written) ?? [""];
  return new RegExp(written.slice(stated.length), flags + inner);
};
