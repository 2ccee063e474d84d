import { basename } from "node:path";
import type { Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { stringify } from "yaml";
import type { Entry } from "../../config/entry.ts";
import type { ConfigFault } from "../../config/fault.ts";
import { readEntry } from "../../config/read.ts";
import { shapeOf } from "../../config/shape.ts";
import { readYaml } from "../../config/yaml-source.ts";
import { messageOf } from "../domain/errors.ts";
import { readSmallFile } from "../system/read-small-file.ts";
import { type Check, checkSchema, contradictionsIn } from "./check.ts";

/** Guards against a wrong path: no real file with checks is longer. */
const maxBytes = 4_194_304;

/** The file has faults; the message names each with its line. */
class ChecksFault extends Error {
  override readonly name = "ChecksFault";

  constructor(fileName: string, faults: readonly ConfigFault[]) {
    const lines = faults.map(({ where, path, message }) => `  ${where}: ${path === "" ? "" : `${path} `}${message}`);
    super(`${fileName} has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n${lines.join("\n")}`);
  }
}

/**
 * Reads a file with checks, with the reader of the configuration. A single text may stand for a list of one, and `${NAME}`
 * is not replaced, because questions may contain it.
 * @throws ChecksFault
 */
export const readChecks = async (path: string): Promise<Check[]> => {
  const fileName = basename(path);
  const { root, faults } = readYaml(await readText(path, fileName), fileName, null);
  const items = itemsOf(root, fileName, faults);
  const checks = items.map((item, index) => readCheck(item, `checks[${index}]`, faults));
  if (faults.length > 0) throw new ChecksFault(fileName, byLine(faults));
  return checks;
};

const shape = shapeOf(checkSchema);

/** One check; fields with faults are left out. */
const readCheck = (item: Entry, path: string, faults: ConfigFault[]): Check => {
  listsFromTexts(item);
  const found: ConfigFault[] = [];
  const value = readEntry(shape, item, path, found);
  // A check with faults does not fit the type; it is not used then.
  const check = { ...(value as Static<typeof checkSchema>), where: item.origin };
  if (found.length === 0 && !Value.Check(checkSchema, value))
    throw new Error("a check as read does not fit its schema");
  const isNamed = (at: string) =>
    found.some((fault) => fault.path === path || at.startsWith(fault.path) || fault.path.startsWith(`${at}.`));
  if (item.kind === "section")
    for (const fault of contradictionsIn(check, path)) if (!isNamed(fault.path)) found.push(fault);
  // The reader's messages name the configuration.
  for (const { message, ...fault } of found)
    faults.push({ ...fault, message: message.replace("a key of the configuration", "a key of a check") });
  return check;
};

const readText = async (path: string, fileName: string): Promise<string> => {
  const refuse = (message: string) => new ChecksFault(fileName, [{ where: fileName, path: "", message }]);
  const bytes = await readSmallFile(path, { maxBytes, what: "a file with checks" }).catch((error: unknown) => {
    throw refuse(messageOf(error));
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse("is not UTF-8 text");
  }
};

const entryAt = (entry: Entry | undefined, name: string): Entry | undefined =>
  entry?.kind === "section" ? entry.entries.get(name)?.entry : undefined;

const itemsOf = (root: Entry & { kind: "section" }, fileName: string, faults: ConfigFault[]): Entry[] => {
  const isBroken = faults.length > 0;
  for (const [name, { keyOrigin }] of root.entries)
    if (name !== "checks")
      faults.push({ where: keyOrigin, path: name, message: "is not `checks`, the only key there is" });
  const checks = entryAt(root, "checks");
  if (checks?.kind === "list" && checks.items.length > 0) return checks.items;
  if (!isBroken)
    faults.push({
      where: checks?.origin ?? `${fileName}:1`,
      path: "",
      message: "has no checks: it needs `checks:` with a list",
    });
  return [];
};

const listsFromTexts = (item: Entry): void => {
  const expected = entryAt(item, "expect");
  if (expected?.kind !== "section") return;
  for (const name of ["documents", "contains", "answer"]) {
    const held = expected.entries.get(name);
    if (held?.entry.kind === "scalar" && held.entry.value !== null)
      held.entry = { kind: "list", origin: held.entry.origin, items: [held.entry] };
  }
};

const byLine = (faults: readonly ConfigFault[]): ConfigFault[] => {
  const line = ({ where }: ConfigFault): number => Number(/:(\d+)$/.exec(where)?.[1] ?? 0);
  return [...faults].sort((a, b) => line(a) - line(b));
};

/** The fields of the API's feedback that checks are made of. */
export interface GivenFeedback {
  id: string;
  receiptId: string | null;
  question: string;
  partitionId: string | null;
  rating: "up" | "down";
  reason: string | null;
  comment: string | null;
  expected: { documentId: string | null; text: string | null };
}

/**
 * A check of each piece of feedback that says what is wanted: an answer that was right is still given, or still refused;
 * what should have been found is found. Of several to one question in one scope the newest counts.
 * @param feedback newest first
 * @param refused ids of the receipts of refused questions
 */
export const checksFromFeedback = (feedback: readonly GivenFeedback[], refused: ReadonlySet<string>): Check[] => {
  const checks = new Map<string, Check>();
  for (const given of feedback) {
    const { question, partitionId, expected } = given;
    const key = JSON.stringify([question, partitionId]);
    if (checks.has(key) || question.trim() === "" || !saysWhatIsWanted(given)) continue;
    checks.set(key, {
      question,
      name: null,
      partition: partitionId,
      document: null,
      metadata: null,
      snippets: null,
      expect: {
        documents: expected.documentId === null ? [] : [expected.documentId],
        contains: expected.text === null ? [] : [expected.text],
        answer: [],
        refusal: saysWhatWasMissing(given) ? null : given.rating === "up" && refused.has(given.receiptId ?? ""),
      },
      where: `feedback ${given.id}`,
    });
  }
  return [...checks.values()];
};

/** "Wrong" alone does not say what would be right. */
const saysWhatIsWanted = (given: GivenFeedback): boolean =>
  given.rating === "up" || given.reason === "not_found" || saysWhatWasMissing(given);

const saysWhatWasMissing = ({ expected }: GivenFeedback): boolean =>
  expected.documentId !== null || expected.text !== null;

/** The checks as a file that `carrel eval` reads. */
export const checksFile = (checks: readonly Check[]): string =>
  stringify({
    checks: checks.map(({ question, partition, expect }) => ({
      question,
      ...(partition === null ? {} : { partition }),
      expect: {
        ...(expect.documents.length === 0 ? {} : { documents: expect.documents }),
        ...(expect.contains.length === 0 ? {} : { contains: expect.contains }),
        ...(expect.refusal === null ? {} : { refusal: expect.refusal }),
      },
    })),
  });
