import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import type { SearchScope, Store } from "../../store/contract.ts";
import type { Ask } from "../reading/ask.ts";
import { phrase } from "../wording/phrases.ts";
import { documentsCalled, documentsMentioning } from "./documents-named.ts";
import { documentsOfKind } from "./file-kinds.ts";
import { filterOf, type Gathered, type Gathering, languageFor, told } from "./gathering.ts";

/** Names in an answer, at most. */
const maxListed = 20;

interface Inventory {
  text: string;
  /** Those that are named in the text. */
  documents: DocumentRecord[];
}

/** The documents that there are, or those that mention a subject. Where none has its words, it says so. */
export const gatherInventory = async (gathering: Gathering): Promise<Gathered> => {
  const { deps, tenant, question, ask } = gathering;
  const language = languageFor(gathering, []);
  const found = await inventory(deps.store, tenant, question, ask, language);
  // A visitor learns how many there are, not what they are called.
  if (found !== null && question.isVisitor)
    return told(question, (found.text.split("\n")[0] ?? "").replace(/[:：]$/u, "."));
  if (found !== null) return told(question, found.text, found.documents);
  // No document has all the words: the nearest passages tell which speak of it in others.
  const retrieval = await deps.retrieve(tenant, { ...question, query: ask.subject ?? ask.question }, gathering.signal);
  const none = phrase(language, "noneMentions", { subject: ask.subject ?? "" });
  return { ...told(question, none), retrieval: { ...retrieval, snippets: [], certainty: "none" } };
};

/**
 * Says which documents there are, or which mention a subject: by name, the newest first, and their number.
 * @returns null where none mentions the subject: it may be said in other words
 */
const inventory = async (
  store: Pick<Store, "documents" | "openSnippets">,
  tenant: Tenant,
  scope: SearchScope,
  { question, subject, isSubjectOfName }: Pick<Ask, "question" | "subject" | "isSubjectOfName">,
  language: string,
): Promise<Inventory | null> => {
  const ofKind = subject === null || isSubjectOfName ? await documentsOfKind(store, tenant, scope, question) : null;
  if (ofKind !== null && ofKind.length > 0) {
    return newestOf(ofKind, headOf(language, ofKind.length), language);
  }
  if (subject === null) {
    const { items, total } = await store.documents.list(tenant, filterOf(scope), newest(maxListed));
    if (total === 0) return { text: phrase(language, "noDocuments"), documents: [] };
    const head = headOf(language, total);
    return { text: listed(head, items, total, language), documents: items };
  }
  const period = periodNamed(subject);
  if (period !== null) {
    const page = newest(maxOfPeriod);
    const { items } = await store.documents.list(tenant, filterOf(scope), page);
    const within = items.filter(({ createdAt }) => createdAt >= period.from && createdAt < period.until);
    return newestOf(within, within.length === 0 ? `${subject}: 0` : headOf(language, within.length), language);
  }
  const ids = await idsAbout(store, tenant, scope, subject, isSubjectOfName);
  if (ids.length === 0) return null;
  return listOf(store, tenant, ids, subject, language);
};

/** The documents whose names have all words of the subject ("How many branches are there?"); null where less than two have. */
export const inventoryByName = async (
  store: Pick<Store, "documents" | "openSnippets">,
  tenant: Tenant,
  scope: SearchScope,
  subject: string,
  language: string,
): Promise<Inventory | null> => {
  const view = store.openSnippets();
  try {
    const ids = await documentsCalled(view, tenant, scope, subject);
    return ids.length < 2 ? null : await listOf(store, tenant, ids, null, language);
  } finally {
    view.close();
  }
};

const listOf = async (
  store: Pick<Store, "documents">,
  tenant: Tenant,
  ids: readonly string[],
  subject: string | null,
  language: string,
): Promise<Inventory> => {
  // Ids are UUIDv7: the larger, the newer.
  const shown = [...ids].sort((a, b) => (a < b ? 1 : -1)).slice(0, maxListed);
  const records = new Map((await store.documents.getMany(tenant, shown)).map((record) => [record.id, record]));
  const documents = shown.flatMap((id) => records.get(id) ?? []);
  const name = subject === null ? (["oneDocument", "documents"] as const) : (["oneMentions", "mention"] as const);
  const head = phrase(language, ids.length === 1 ? name[0] : name[1], { count: ids.length, subject: subject ?? "" });
  return { text: listed(head, documents, ids.length, language), documents };
};

const idsAbout = async (
  store: Pick<Store, "openSnippets">,
  tenant: Tenant,
  scope: SearchScope,
  subject: string,
  isSubjectOfName: boolean,
): Promise<string[]> => {
  const view = store.openSnippets();
  try {
    const called = isSubjectOfName ? await documentsCalled(view, tenant, scope, subject) : [];
    if (called.length > 0) return called;
    const found: string[] = [];
    for (const either of alternatives(subject)) found.push(...(await documentsMentioning(view, tenant, scope, either)));
    return [...new Set(found)];
  } finally {
    view.close();
  }
};

/** The newest documents, among which those of a day or a week are looked for. */
const maxOfPeriod = 2_000;

const languagesOfPeriods = "en de fr es it pt nl pl ru tr sv da no fi zh ja".split(" ");
const periods = ["today", "yesterday", "thisWeek", "lastWeek"] as const;

/** What the periods are called; ICU has the words of each language. Made with the first question. */
let namesOfPeriods: ReadonlyMap<string, (typeof periods)[number]> | null = null;
const asCompared = (name: string): string => name.toLowerCase().replaceAll("\u2019", "'").trim();
const namePeriods = (): ReadonlyMap<string, (typeof periods)[number]> =>
  new Map(
    languagesOfPeriods.flatMap((language) => {
      const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
      const names = [
        format.format(0, "day"),
        format.format(-1, "day"),
        format.format(0, "week"),
        format.format(-1, "week"),
      ];
      return names.map((name, at) => [asCompared(name), periods[at] ?? "today"] as const);
    }),
  );

/** When "today", "yesterday" or "this week" is, by the clock of the server, as epoch milliseconds. */
const periodNamed = (subject: string): { from: number; until: number } | null => {
  namesOfPeriods ??= namePeriods();
  const period = namesOfPeriods.get(asCompared(subject));
  if (period === undefined) return null;
  const now = new Date();
  // By the calendar: a day on which clocks change has other hours.
  const dayAt = (days: number): number => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime();
  const monday = -((now.getDay() + 6) % 7);
  const [from, until] = { today: [0, 1], yesterday: [-1, 0], thisWeek: [monday, 1], lastWeek: [monday - 7, monday] }[
    period
  ] as [number, number];
  return { from: dayAt(from), until: dayAt(until) };
};

/** How many documents there are. */
const headOf = (language: string, count: number): string =>
  phrase(language, count === 1 ? "oneDocument" : "documents", { count });

const maxAlternatives = 4;

/** "The name Sokol or Solberg": each of them. */
const alternatives = (subject: string): string[] =>
  subject
    .replace(
      /^(?:(?:the|a|der|das|den|le|la|el|il|lo|o|de|het) )?(?:name|word|term|phrase|wort|begriff|namen|mot|nom|terme|palabra|nombre|parola|nome|palavra|woord|naam|słowo|nazwisko|слово|имя|kelimesi|adı) /iu,
      "",
    )
    .split(/ (?:or|oder|ou|of|lub|или|veya|ya da) /iu)
    .slice(0, maxAlternatives);

const listed = (head: string, documents: readonly DocumentRecord[], total: number, language: string): string => {
  const lines = [head, "", ...documents.map(({ name }) => `- ${name}`)];
  if (total > documents.length) lines.push("", phrase(language, "more", { count: total - documents.length }));
  return lines.join("\n");
};

const newestOf = (all: readonly DocumentRecord[], head: string, language: string): Inventory => {
  const documents = all.slice(0, maxListed);
  return { text: listed(head, documents, all.length, language), documents };
};

const newest = (limit: number) => ({ limit, skip: 0, sortOrder: "desc" as const });
