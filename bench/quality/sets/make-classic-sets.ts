import { type JudgedSet, writeBeir } from "./write-beir.ts";

const usage = `Makes sets in BEIR's layout from classic test collections (MED, CISI, TIME), as universities pass them on.

  bun bench/quality/sets/make-classic-sets.ts TARGET NAME DOCUMENTS QUESTIONS JUDGMENTS

DOCUMENTS and QUESTIONS are in SMART's format (.I, .T, .W) or in that of TIME (*TEXT, *FIND), whose capitals become small.
JUDGMENTS has a question and a document in each line (TREC's four columns, or "question 0 document"), or, for TIME, a
question and all its documents. TARGET gets the folder NAME.`;

const [target, name, ...files] = process.argv.slice(2);
if (target === undefined || name === undefined || files.length !== 3) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

interface Entry {
  id: string;
  title: string;
  text: string;
}

const plain = (text: string): string => text.split(/\s+/).filter(Boolean).join(" ");

/** The fields of an entry of SMART's format, each begun by a line such as `.W`. */
const smartEntry = (part: string): Entry => {
  const [id = "", ...lines] = part.split("\n");
  const fields = new Map<string, string>();
  let field = "";
  for (const line of lines) {
    const begun = /^\.([A-Z])\b/.exec(line)?.[1];
    if (begun !== undefined) field = begun;
    else fields.set(field, `${fields.get(field) ?? ""}${line}\n`);
  }
  return { id: id.trim(), title: plain(fields.get("T") ?? ""), text: fields.get("W") ?? "" };
};

/** Documents of TIME are numbered by their places: its judgments name them so. */
const timeEntry = (part: string, at: number): Entry => {
  const line = part.indexOf("\n");
  const number = part.slice(0, line).trim().split(/\s+/);
  const text = plain(part.slice(line).replace("*STOP", "")).toLowerCase();
  return { id: number.length > 1 ? String(at + 1) : (number[0] ?? ""), title: "", text };
};

const readEntries = async (file: string): Promise<Entry[]> => {
  const text = (await Bun.file(file).text()).replaceAll("\r", "");
  const isTime = /^\*(?:TEXT|FIND)/m.test(text);
  const [, ...parts] = text.split(isTime ? /^\*(?:TEXT|FIND)/m : /^\.I\s+/m);
  return parts.map(isTime ? timeEntry : smartEntry);
};

const [documentFile = "", questionFile = "", judgmentFile = ""] = files;
const documents = await readEntries(documentFile);
const asked = await readEntries(questionFile);
const isOfTime = documents.every(({ title }) => title === "") && /^\*/m.test(await Bun.file(documentFile).text());
const judgments = (await Bun.file(judgmentFile).text()).split("\n").flatMap((line) => {
  const [question = "", second = "", document = "", relevance = "1"] = line.trim().split(/\s+/);
  if (isOfTime)
    return line
      .trim()
      .split(/\s+/)
      .slice(1)
      .map((own) => ({ question, document: own }));
  return document === "" || (second === "0" && relevance === "0") ? [] : [{ question, document }];
});
const set: JudgedSet = {
  documents,
  questions: asked.map(({ id, title, text }) => ({ id, text: plain(`${title} ${text}`) })),
  judgments,
};
process.stdout.write(`${await writeBeir(target, name, set)}\n`);
