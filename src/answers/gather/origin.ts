import type { DocumentRecord } from "../../domain/records.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import { analyze, analyzeQuery } from "../../text/analysis/analyze.ts";
import { readable } from "../quote/readable.ts";
import { answerTypesOf, hasAnswerOf } from "../reading/answer-type.ts";
import { documentNamed } from "./documents-named.ts";
import { type Gathered, type Gathering, ofPassages } from "./gathering.ts";
import { toFound } from "./overview.ts";

/** Who wrote a document, when, what it is; null where the ask names none, or it does not say so. */
export const gatherOrigin = async ({ deps, tenant, question, ask, document }: Gathering): Promise<Gathered | null> => {
  const view = deps.store.openSnippets();
  try {
    // "Who wrote it?" after an answer is about what that was from.
    const [last] = ask.subject === null ? question.lastSnippets : [];
    const named =
      last?.documentId ??
      (document === null ? await documentNamed(view, tenant, question, ask.subject ?? ask.question) : null);
    const about = document ?? (named === null ? null : await deps.store.documents.get(tenant, named));
    if (about === null) return null;
    const end = Math.max(0, about.progress.chunks - 1);
    const ends = await Promise.all([
      view.neighbors(tenant, about.id, 0, 0),
      view.neighbors(tenant, about.id, end, end),
    ]);
    const snippets = ends
      .flat()
      .filter(({ id }, at, all) => all.findIndex((other) => other.id === id) === at)
      .map(toFound);
    const shown = question.isVisitor ? { ...about, name: "", metadata: null } : about;
    const text = originOf(shown, snippets, ask.question);
    return text === null ? null : ofPassages(question, snippets, 1, async () => text);
  } finally {
    view.close();
  }
};

/** Names of metadata that tell who made a document, and when. */
const makers =
  /^(?:author|authors|creator|writer|by|from|sender|autor|autorin|verfasser|verfasserin|absender|auteur|autore|autora|autrice|schrijver|nadawca|автор|yazar|作者|著者)$/i;
const dates =
  /^(?:date|created|createdat|created_at|published|updated|modified|written|datum|erstellt|fecha|data|creado|publicado|дата|tarih|日期|日付)$/i;

/** Lines that say who wrote a text: with a label, or as the line under its title. */
const madeBy =
  /^(?:\W{0,4})(?:by|from|author|authors|writer|written by|signed|signed by|sender|minutes(?: taken by)?|von|verfasser(?:in)?|autor(?:in)?|absender|protokoll(?:ant)?|gezeichnet|par|auteure?|rédigé par|de|autora?|escrito por|redactado por|di|autore|scritto da|door|auteur|geschreven door|van|autor|napisał|автор|составил|yazan|yazar|作者|撰写|著者|作成者)\s?[:：]?\s+\S/iu;
const closing =
  /(?:sincerely|faithfully|regards|wishes|yours|grüße|grüßen|hochachtungsvoll|salutations|cordialement|atentamente|saludos|saluti|cordialmente|cumprimentos|groet(?:en)?|poważaniem|уважением|saygılarımla|敬具|此致)\s*,?\s*$/iu;
const labelled =
  /(?:^|[.;]\s)((?:minutes|author|by|written by|maintained by|created by|protokoll|verfasser(?:in)?|autor(?:in)?|rédaction|redacción|redatto da|notulen|notulist|secretary|schriftführer(?:in)?|secrétaire|secretari[oa]|segretari[oa]|secretaris|sekretarz|last changed|updated|version)\b[^.;\n]{0,80})/iu;

const nameOfPerson =
  /^\p{Lu}[\p{L}\p{M}.'’-]*(?: (?:(?:van|von|de|der|di|da|del|la|le|bin|al|el) ){0,2}\p{Lu}[\p{L}\p{M}.'’-]*){1,4}$/u;

/** Two names or more below the title, as the authors of a paper stand, with the marks of their institutes. */
const areAuthors = (line: string): boolean => {
  const names = line
    .split(/,|;| & |(?<!\p{L})(?:and|und|et|y|e|en|i|и) /u)
    .map((part) => part.replace(/[\p{No}*†‡§∗()[\]]|\d/gu, "").trim())
    .filter((part) => part !== "");
  return names.length > 1 && names.every((name) => nameOfPerson.test(name));
};
/** Lines from the first on among which authors stand. */
const maxLinesToAuthors = 5;

/** Characters at both ends of a text in which its making is told. */
const headCharacters = 900;
const tailCharacters = 400;

interface Told {
  text: string;
  /** Index of the snippet that has it; null for metadata. */
  snippet: number | null;
}

/**
 * Who wrote a document, when, or what it is: by its metadata, and by the lines at its beginning and end that say so.
 * @param snippets of the document: its first, and its last
 * @returns the lines of the answer with their marks; null where nothing tells
 */
export const originOf = (
  document: DocumentRecord,
  snippets: readonly FoundSnippet[],
  question: string,
): string | null => {
  const types = answerTypesOf(question);
  const wantsMaker = types.includes("person");
  const wantsDate = types.includes("time");
  const found: Told[] = [];
  for (const [key, value] of Object.entries(document.metadata ?? {})) {
    const isTold = (wantsMaker && makers.test(key)) || (wantsDate && dates.test(key));
    if (isTold && (typeof value === "string" || typeof value === "number"))
      found.push({ text: `${key[0]?.toUpperCase()}${key.slice(1)}: ${value}`, snippet: null });
  }
  if (found.length === 0 && (wantsMaker || wantsDate))
    found.push(...told(document, snippets, question, wantsMaker, wantsDate));
  if (!wantsMaker && !wantsDate) found.push(...kindOf(document, snippets));
  if (found.length === 0) return null;
  const unlike = found.filter(({ text }, index) => found.findIndex((other) => other.text === text) === index);
  // Metadata are the document's: they get the mark of its first passage.
  return unlike
    .slice(0, 3)
    .map(({ text, snippet }) => `${text} [${(snippet ?? 0) + 1}]`)
    .join("\n");
};

const told = (
  { name }: DocumentRecord,
  snippets: readonly FoundSnippet[],
  question: string,
  wantsMaker: boolean,
  wantsDate: boolean,
): Told[] => {
  const found: Told[] = [];
  const days: { line: string; snippet: number; shared: number }[] = [];
  const named = new Set(analyze(name));
  const asked = new Set(analyzeQuery(question).terms.flatMap(({ term }) => (named.has(term) ? [] : [term])));
  const takeDay = (line: string, snippet: number): void => {
    days.push({ line, snippet, shared: analyze(line).filter((term) => asked.has(term)).length });
  };
  const take = (line: string, snippet: number): void => {
    found.push({ text: readable(line), snippet });
  };
  for (const [index, { text, position }] of snippets.entries()) {
    const head = position === 0 ? linesOf(text.slice(0, headCharacters)) : [];
    const tail = index === snippets.length - 1 ? linesOf(text.slice(-tailCharacters)) : [];
    for (const [at, line] of head.entries()) {
      const label = labelled.exec(line)?.[1];
      const matter = /^(\w{2,20}): (.+)$/.exec(line);
      const isMatter =
        matter !== null && ((wantsMaker && makers.test(matter[1] ?? "")) || (wantsDate && dates.test(matter[1] ?? "")));
      if (isMatter) take(`${line[0]?.toUpperCase()}${line.slice(1)}`, index);
      else if (wantsMaker && madeBy.test(line) && line.length < 120) take(line, index);
      else if (wantsMaker && at < maxLinesToAuthors && areAuthors(line)) take(line, index);
      else if (wantsMaker && label !== undefined && hasAnswerOf("person", label)) take(label, index);
      else if (wantsDate && isDated(line)) takeDay(line, index);
    }
    if (wantsDate) for (const line of tail) if (isDated(line) && !head.includes(line)) takeDay(line, index);
    const label = tail
      .map((line) => labelled.exec(line)?.[1])
      .find((each) => each !== undefined && hasAnswerOf("person", each));
    if (wantsMaker && found.length === 0 && label !== undefined) take(label, index);
    if (wantsMaker && found.length === 0)
      for (const [at, line] of tail.entries())
        if (closing.test(line) && tail[at + 1] !== undefined) take(tail[at + 1] ?? "", index);
  }
  // "When was it signed?": the line that says so, before one that only has a date.
  const most = Math.max(...days.map(({ shared }) => shared));
  for (const { line, snippet, shared } of days) if (shared === most) take(line, snippet);
  return found.slice(0, 2);
};

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.replaceAll("**", "").trim())
    .filter((line) => line !== "" && line !== "---");

/** A short line with a year or a whole date: a heading, "Last changed on …", "created: 2026-03-02". */
const isDated = (line: string): boolean =>
  line.length < 140 && /\b(?:19|20)\d\d\b|\d{1,2}[./]\d{1,2}[./]\d{2,4}|年/.test(line);

/** The name of a document, its title and what it begins with. */
const kindOf = (document: DocumentRecord, [first]: readonly FoundSnippet[]): Told[] => {
  const lines = first === undefined ? [] : linesOf(first.text).slice(0, 3);
  const told = lines.map((line) => ({ text: readable(line), snippet: 0 }));
  return document.name === "" ? told : [{ text: document.name, snippet: 0 }, ...told];
};
