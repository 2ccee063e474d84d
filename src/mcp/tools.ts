import { type Static, type TObject, Type } from "@sinclair/typebox";
import type { Config } from "../../config/schema.ts";
import { type AskDependencies, ask } from "../answers/ask.ts";
import { readQuestion } from "../answers/read-question.ts";
import { readDocumentPart } from "../documents/document-part.ts";
import { listDocuments } from "../documents/document-records.ts";
import { ApiError, invalidField, withAddressIn } from "../domain/errors.ts";
import { isRecordId, notFound } from "../domain/ids.ts";
import type { Principal, Role } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import type { Call } from "../http/endpoint.ts";
import type { HttpDependencies } from "../http/frame.ts";
import { addressField, documentTextField, nameField, nullable, questionField } from "../http/schema/fields.ts";
import { textField } from "../http/schema/text-field.ts";
import { ingestDocument } from "../ingest/ingest.ts";
import { readIngestRequest } from "../ingest/request.ts";
import type { IngestWork } from "../ingest/work.ts";
import { meterFor } from "../limits/rates.ts";
import { logReasons } from "../models/warning.ts";
import type { FoundSnippet } from "../retrieval/contract.ts";
import type { Store } from "../store/contract.ts";

export interface ToolDependencies
  extends Omit<AskDependencies, "keepReceipt">,
    Pick<HttpDependencies, "log" | "rates"> {
  config: Config;
  store: Store;
  work: IngestWork;
}

/** The request that a tool is called by. */
export type ToolCall = Pick<Call<unknown, unknown, unknown, "reader">, "principal" | "baseUrl" | "requestId" | "held">;

/** A tool, from whose schemas its description, the check of its arguments and its types are made. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** Keys below this role do not see it. */
  access: Role;
  /** It changes something. */
  writes: boolean;
  input: TObject;
  output: TObject;
  /** @throws what its use case throws */
  run(deps: ToolDependencies, call: ToolCall, input: never, signal: AbortSignal): Promise<object>;
}

const tool = <I extends TObject, O extends TObject>(
  definition: Omit<Tool, "input" | "output" | "run"> & {
    input: I;
    output: O;
    run(deps: ToolDependencies, call: ToolCall, input: Static<I>, signal: AbortSignal): Promise<Static<O>>;
  },
): Tool => definition;

/** Documents of a page of `list_documents`. */
const pageSize = 50;

const partition = Type.Optional(
  textField({ maxLength: 255, description: "Name of a partition, to look only into that one. Left out: all." }),
);
const documentFields = {
  id: Type.String({ description: "Takes `fetch`." }),
  title: Type.String({ description: "Name of the document." }),
  url: Type.String({ description: "Address of a page for people." }),
};
const page = nullable(Type.Integer({ description: "Page of the document, where it has pages." }));
const status = Type.String({ description: "`processed`: it can be found. `failed`: it could not be read." });
const quoted = Type.String({ description: "Quoted from the document." });

/** Every tool, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  tool({
    name: "search",
    title: "Search the documents",
    description:
      "Finds the passages of the stored documents that are nearest to a question or to words, best first. Read more around one of them with `fetch` and its id.",
    access: "reader",
    writes: false,
    input: Type.Object({
      query: questionField("A question or words, 1 to 8,000 characters."),
      partition,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: "Most passages. Default: 6." })),
    }),
    output: Type.Object({
      results: Type.Array(Type.Object({ ...documentFields, text: quoted, page, headings: Type.Array(Type.String()) })),
    }),
    async run(deps, call, { query, partition: named, limit }, signal) {
      const partitionId = await partitionOf(deps, call.principal, named);
      const body = { query, ...partitionId, ...(limit === undefined ? {} : { numberOfDocumentsInContext: limit }) };
      const { snippets, titles } = await answerOf(deps, call, readQuestion(body, false), signal);
      return { results: snippets.map((snippet) => passage(snippet, titles, call.baseUrl)) };
    },
  }),
  tool({
    name: "fetch",
    title: "Read a document",
    description:
      "Reads the text of a document from the place that an id names, at most 40,000 characters at a time. `metadata.nextId` reads on; it is null at the end.",
    access: "reader",
    writes: false,
    input: Type.Object({ id: textField({ maxLength: 100, description: "An id of another tool's result." }) }),
    output: Type.Object({
      ...documentFields,
      text: quoted,
      metadata: Type.Object(
        { page, nextId: nullable(Type.String()) },
        { description: "What was stored with the document; `page` and `nextId` are of this part." },
      ),
    }),
    async run({ store }, { principal, baseUrl, held }, { id }) {
      const part = await readDocumentPart(store, principal, placeOf(id), held);
      const { document, text, start, next } = part;
      return {
        id: start === 0 ? document.id : placeId(document.id, start),
        title: document.name,
        text,
        url: documentUrl(baseUrl, document.id),
        metadata: {
          ...document.metadata,
          page: part.page,
          nextId: next === null ? null : placeId(document.id, next),
        },
      };
    },
  }),
  tool({
    name: "ask",
    title: "Ask a question",
    description:
      "Answers a question from the stored documents. The marks [1], [2] … in the answer are the sources. `answered` is false where the documents do not hold it.",
    access: "reader",
    writes: false,
    input: Type.Object({ question: questionField("The question, 1 to 8,000 characters."), partition }),
    output: Type.Object({
      answer: Type.String(),
      answered: Type.Boolean(),
      sources: Type.Array(Type.Object({ mark: Type.Integer(), ...documentFields, page, text: quoted })),
      receiptId: nullable(Type.String()),
    }),
    async run(deps, call, { question, partition: named }, signal) {
      const body = { query: question, ...(await partitionOf(deps, call.principal, named)) };
      const { answer, snippets, titles, receipt } = await answerOf(deps, call, readQuestion(body, true), signal);
      return {
        answer: answer ?? "",
        answered: receipt.certainty !== "none" && receipt.support !== "unsupported",
        sources: snippets.map((snippet, at) => {
          const { headings: _, ...source } = passage(snippet, titles, call.baseUrl);
          return { mark: at + 1, ...source };
        }),
        receiptId: "id" in receipt && typeof receipt.id === "string" ? receipt.id : null,
      };
    },
  }),
  tool({
    name: "list_documents",
    title: "List the documents",
    description: `Lists the stored documents, newest first, ${pageSize} at a time. Pass \`nextCursor\` as \`cursor\` for those after them.`,
    access: "reader",
    writes: false,
    input: Type.Object({
      partition,
      search: Type.Optional(textField({ maxLength: 255, description: "Text that the name contains." })),
      cursor: Type.Optional(textField({ maxLength: 100, description: "`nextCursor` of the page before." })),
    }),
    output: Type.Object({
      documents: Type.Array(
        Type.Object({
          ...documentFields,
          partition: nullable(Type.String({ description: "Name of its partition." })),
          status,
          createdAt: Type.String(),
        }),
      ),
      nextCursor: nullable(Type.String()),
    }),
    async run(deps, { principal, baseUrl, held }, { partition: named, search, cursor }) {
      const { store } = deps;
      const filter = {
        ...(await partitionOf(deps, principal, named)),
        searchValue: search,
        includesTexts: false,
        sortOrder: "desc" as const,
      };
      // Counted from the oldest: documents that are added between two pages move nothing.
      const older = cursor === undefined || cursor === "" ? null : olderOf(cursor);
      const { total } =
        older === null ? { total: 0 } : await listDocuments(store, principal, { ...filter, limit: 1, skip: 0 }, held);
      const skip = older === null ? 0 : Math.max(0, total - older);
      const found = await listDocuments(store, principal, { ...filter, limit: pageSize, skip }, held);
      const names = new Map<string, string | null>();
      for (const { partitionId } of found.items)
        if (partitionId !== null && !names.has(partitionId))
          names.set(partitionId, (await store.partitions.get(principal, partitionId))?.name ?? null);
      const rest = found.total - skip - found.items.length;
      return {
        documents: found.items.map((document) => ({
          id: document.id,
          title: document.name,
          url: documentUrl(baseUrl, document.id),
          partition: document.partitionId === null ? null : (names.get(document.partitionId) ?? null),
          status: document.status,
          createdAt: isoTime(document.createdAt),
        })),
        nextCursor: rest > 0 ? String(rest) : null,
      };
    },
  }),
  tool({
    name: "add_document",
    title: "Add a document",
    description:
      "Stores a document, so that it can be found: either a text or what is at an address, a file or a page. It is read before the tool returns.",
    access: "writer",
    writes: true,
    input: Type.Object({
      name: nameField("What to call it, up to 255 characters."),
      text: Type.Optional(documentTextField("The text, such as Markdown.")),
      url: Type.Optional(addressField(8_192, "Address to fetch, instead of a text.")),
      partition: Type.Optional(
        textField({ maxLength: 255, description: "Name of the partition to put it into; made if there is none." }),
      ),
    }),
    output: Type.Object({ ...documentFields, status }),
    async run(deps, { principal, baseUrl }, { name, text, url, partition: named = "" }, signal) {
      if (text === undefined && url === undefined) throw new ApiError("no_source", "Send text or url.");
      if (text !== undefined && url !== undefined) throw new ApiError("several_sources", "Send text or url, not both.");
      const body = {
        name,
        // Models repeat themselves, and so do clients whose connection broke: the same content is stored once.
        upsert: true,
        ...(text === undefined ? {} : { text }),
        ...(url === undefined ? {} : { url }),
        ...(named.trim() === "" ? {} : await placeFor(deps, principal, named)),
      };
      const { document } = await withAddressIn("url", () =>
        ingestDocument(deps.work, principal, readIngestRequest(body, null), "now", signal),
      );
      return { id: document.id, title: document.name, url: documentUrl(baseUrl, document.id), status: document.status };
    },
  }),
];

/** The whole answer to a question, and the names of the documents that its snippets are from. */
const answerOf = async (
  deps: ToolDependencies,
  { principal, requestId }: ToolCall,
  question: ReturnType<typeof readQuestion>,
  signal: AbortSignal,
) => {
  const asking = await meterFor(deps, question.wantsAnswer && principal.keyId !== null ? principal : null);
  for await (const event of ask(asking, principal, question, signal)) {
    if (event.type !== "done") continue;
    const { answer } = event;
    logReasons(deps.log, requestId, answer.receipt.warnings);
    return { ...answer, titles: new Map(answer.documents.map(({ id, name }) => [id, name])) };
  }
  throw new Error("the answer ended without its end");
};

const passage = (snippet: FoundSnippet, titles: ReadonlyMap<string, string>, baseUrl: string) => ({
  id: placeId(snippet.documentId, snippet.start),
  title: titles.get(snippet.documentId) ?? snippet.documentId,
  url: `${documentUrl(baseUrl, snippet.documentId)}?snippet=${snippet.id}`,
  text: snippet.text,
  page: snippet.page,
  headings: snippet.headings,
});

const documentUrl = (baseUrl: string, id: string): string => `${baseUrl}/documents/${id}`;

/** Names a place in a document's text, in UTF-16 code units. */
const placeId = (documentId: string, offset: number): string => `${documentId}#${offset}`;

/** The place that an id names: a document's alone is its beginning. */
const placeOf = (id: string): { id: string; offset: number } => {
  const [, document = "", offset = "0"] = /^([^#]*)(?:#(\d{1,10}))?$/.exec(id.trim()) ?? [];
  if (!isRecordId(document)) throw notFound("document_not_found");
  return { id: document, offset: Number(offset) };
};

const olderOf = (cursor: string): number => {
  if (!/^\d{1,10}$/.test(cursor)) throw invalidField("cursor", "is not one that this tool gave: leave it out to begin");
  return Number(cursor);
};

/** The partition of this name or id; none where it is left out. @throws ApiError partition_not_found */
const partitionOf = async (
  { store: { partitions } }: ToolDependencies,
  principal: Principal,
  named = "",
): Promise<{ partitionId?: string }> => {
  const name = named.trim();
  if (name === "") return {};
  const found =
    (await partitions.getByName(principal, name)) ?? (isRecordId(name) ? await partitions.get(principal, name) : null);
  if (found === null)
    throw new ApiError("partition_not_found", "There is no partition of this name or id that your key can see.");
  return { partitionId: found.id };
};

/** Where a document is put: the partition of this id, else the one of this name, which may have to be made. */
const placeFor = async ({ store }: ToolDependencies, principal: Principal, named: string) =>
  isRecordId(named.trim()) && (await store.partitions.get(principal, named.trim())) !== null
    ? { partitionId: named.trim() }
    : { partition: named };
