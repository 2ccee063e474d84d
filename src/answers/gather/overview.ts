import type { DocumentRecord, SnippetRecord, Tenant } from "../../domain/records.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import type { SearchScope, SnippetView, Store } from "../../store/contract.ts";
import { analyze, analyzeQuery, formsByWord } from "../../text/analysis/analyze.ts";
import { quoteOverview } from "../quote/overview-quotes.ts";
import { phrase } from "../wording/phrases.ts";
import { documentNamed, holds } from "./documents-named.ts";
import { documentsOfKind } from "./file-kinds.ts";
import { filterOf, type Gathered, type Gathering, languageFor, ofPassages, textsOf, told } from "./gathering.ts";
import { likelyAnswered } from "./readings.ts";

/**
 * What the document that an ask names is about, or what all are about where it names no subject.
 * @returns null where it names a subject that is no document: it is a question
 */
export const gatherOverview = async (gathering: Gathering): Promise<Gathered | null> => {
  const { deps, tenant, question, ask, document } = gathering;
  const view = deps.store.openSnippets();
  try {
    const about = document ?? (await documentAbout(gathering, view));
    if (about !== null) {
      const snippets = await passagesOver(view, tenant, about, question.limit);
      if (snippets.length === 0) return told(question, phrase(languageFor(gathering, []), "noText"));
      return ofPassages(question, snippets, 1, async (kept) => quoteOverview(kept, null, ask.lines ?? undefined));
    }
    if (ask.subject !== null) return null;
    const { snippets, rest, total, names } = await beginningsOf(deps.store, view, tenant, question, question.limit);
    const language = languageFor(gathering, textsOf(snippets));
    if (snippets.length === 0) return told(question, phrase(language, "noDocuments"));
    const left = total - snippets.length - rest.length;
    return ofPassages(question, snippets, total, async (kept) => {
      const others = question.isVisitor ? [] : rest.map(({ name }) => `- ${name}`);
      const lines = [quoteOverview(kept, question.isVisitor ? new Map() : names), ...others].join("\n");
      return left > 0 ? `${lines}\n\n${phrase(language, "more", { count: left })}` : lines;
    });
  } finally {
    view.close();
  }
};

/** The document that the subject of an ask names, by its words or in others. */
const documentAbout = async (gathering: Gathering, view: SnippetView): Promise<DocumentRecord | null> => {
  const { deps, tenant, question, ask } = gathering;
  if (ask.subject === null) return null;
  const [ofKind, ...others] = (await documentsOfKind(deps.store, tenant, question, ask.question)) ?? [];
  if (ofKind !== undefined && others.length === 0) return ofKind;
  const id = (await documentNamed(view, tenant, question, ask.subject)) ?? (await mainDocument(gathering, ask.subject));
  return id === null ? null : await deps.store.documents.get(tenant, id);
};

/** Words of a subject that are few enough to be the name of a document in other words. */
const maxNameWords = 2;

/** The document that most of the nearest passages are from, where a word or two name a subject that may be one. */
const mainDocument = async ({ deps, tenant, question, signal }: Gathering, subject: string): Promise<string | null> => {
  if (subject.split(" ").length > maxNameWords) return null;
  const { nearest, refusedAbove } = await deps.retrieve(tenant, { ...question, query: subject }, signal);
  const [first, ...others] = nearest.slice(0, 3);
  if (first === undefined || refusedAbove < likelyAnswered / 2) return null;
  const isTitle = first.position === 0 && hasWords(first.text.slice(0, maxTitleCharacters), subject);
  return isTitle || others.every(({ documentId }) => documentId === first.documentId) ? first.documentId : null;
};

/** The lines that a document begins with: "Meeting notes, product team" of a file with another name. */
const maxTitleCharacters = 120;

const hasWords = (text: string, subject: string): boolean => {
  const words = formsByWord(analyzeQuery(subject).terms);
  return holds(new Set(analyze(text)), words) === words.length;
};

/** Snippets of one document that are looked at to choose from: those of a long one stand for its parts. */
const maxLookedAt = 64;

/**
 * Passages that tell what a document is about: its beginning, and others spread over its parts.
 * @returns in the document's order, at most `limit`; none where it has no text
 */
export const passagesOver = async (
  view: SnippetView,
  tenant: Tenant,
  document: DocumentRecord,
  limit: number,
): Promise<FoundSnippet[]> => {
  const count = Math.max(1, document.progress.chunks);
  const read: SnippetRecord[] = [];
  if (count <= maxLookedAt) read.push(...(await view.neighbors(tenant, document.id, 0, maxLookedAt)));
  else
    for (let at = 0; at < maxLookedAt; at++) {
      const position = Math.floor((at * count) / maxLookedAt);
      read.push(...(await view.neighbors(tenant, document.id, position, position)));
    }
  return spread(read, limit).map(toFound);
};

/** The first one, and from each further part of equal size the one that begins under another heading, if any does. */
const spread = (snippets: readonly SnippetRecord[], limit: number): SnippetRecord[] => {
  if (snippets.length <= limit) return [...snippets];
  const chosen: SnippetRecord[] = [];
  const seen = new Set<string>();
  for (let part = 0; part < limit; part++) {
    const from = Math.floor((part * snippets.length) / limit);
    const to = Math.floor(((part + 1) * snippets.length) / limit);
    const within = snippets.slice(from, Math.max(to, from + 1));
    const fresh = part === 0 ? within[0] : within.find(({ headings }) => !seen.has(headings.slice(0, 2).join("\n")));
    const taken = fresh ?? within[0];
    if (taken === undefined) continue;
    seen.add(taken.headings.slice(0, 2).join("\n"));
    chosen.push(taken);
  }
  return chosen;
};

/** Documents that an overview of all names, at most. */
const maxNamed = 20;

/** The beginnings of the newest documents of a scope, at most `limit`, further ones by name, how many there are, and their names. */
const beginningsOf = async (
  store: Pick<Store, "documents">,
  view: SnippetView,
  tenant: Tenant,
  scope: SearchScope,
  limit: number,
): Promise<{ snippets: FoundSnippet[]; rest: DocumentRecord[]; total: number; names: Map<string, string> }> => {
  const { items, total } = await store.documents.list(
    tenant,
    { status: "processed", ...filterOf(scope) },
    { limit: Math.max(limit, maxNamed), skip: 0, sortOrder: "desc" },
  );
  const snippets: FoundSnippet[] = [];
  for (const { id } of items.slice(0, limit)) {
    const [first] = await view.neighbors(tenant, id, 0, 0);
    if (first !== undefined) snippets.push(toFound(first));
  }
  const names = new Map(items.map(({ id, name }) => [id, name]));
  return { snippets, rest: items.slice(limit), total, names };
};

/** A stored snippet as one that no question was asked of. */
export const toFound = (snippet: SnippetRecord): FoundSnippet => ({
  id: snippet.id,
  documentId: snippet.documentId,
  text: snippet.text,
  context: snippet.context,
  headings: snippet.headings,
  page: snippet.page,
  start: snippet.start,
  end: snippet.end,
  position: snippet.position,
  // No question was asked of it.
  distance: 1,
  score: 1,
});
