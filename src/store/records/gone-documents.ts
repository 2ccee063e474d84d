import { ApiError, messageOf } from "../../domain/errors.ts";
import type { IdempotentRequest, JsonObject, Message, SitePage, WebhookDelivery } from "../../domain/records.ts";
import type { Ages } from "../contract/keeping.ts";
import { documentRows } from "../documents/document-rows.ts";
import { isObject, parseJson } from "../engine/cells.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { Sweep } from "../erasure/erasures.ts";
import { withoutContentOf } from "./chat-rows.ts";

/** Whether there is a document with this id: in the organization, or null: in any. */
export type IsKnownDocument = (id: string, organizationId: string | null) => boolean;

interface GoneDocumentsOptions {
  messages: StoreTable<Message>;
  deliveries: StoreTable<WebhookDelivery>;
  sitePages: StoreTable<SitePage>;
  idempotency: StoreTable<IdempotentRequest>;
  isKnown: IsKnownDocument;
  ages: Ages;
}

/** Rows changed in one commit. */
const pageRows = 500;
/** A delivery is stored before its document: for this long the document may not be stored yet. */
const preparingMs = 30_000;
const maxReduced = 200_000;
/** Replaces an answer with data of a removed document: the request had an answer. */
const noAnswer = "{}";

/**
 * Removes the content of removed documents from other tables: sources of chat messages, webhooks, answers to idempotent
 * requests, pages of sites. It looks for ids that no document has, so removing a document needs no note of what to
 * sweep.
 */
export const createGoneDocumentsSweeps = (options: GoneDocumentsOptions): Sweep[] => {
  const { messages, deliveries, sitePages, idempotency, isKnown, ages } = options;
  /** Deliveries that an earlier sweep reduced. */
  const reduced = new Set<string>();

  const sweepMessages = async (): Promise<void> => {
    const isGone = (cites: string, organizationId: string): boolean =>
      cites.split(" ").some((id) => id !== "" && !isKnown(id, organizationId));
    const cited = await messages.scan(["id", "organizationId", "cites"], { where: "cites != ''" }, (row) =>
      isGone(row.string("cites"), row.string("organizationId")) ? row.string("id") : null,
    );
    await inPages(cited, (ids) =>
      messages.change(ids, (message) => withoutContentOf(message, (id) => !isKnown(id, message.organizationId))),
    );
  };

  const sweepDeliveries = async (): Promise<void> => {
    const columns = ["id", "organizationId", "documentId", "state", "createdAt"];
    const found = await deliveries.scan(columns, {}, (row) => {
      const id = row.string("id");
      if (isKnown(row.string("documentId"), row.string("organizationId")) || reduced.has(id)) return null;
      return row.string("state") === "prepared" && ages.of(row.number("createdAt")) < preparingMs ? null : id;
    });
    await inPages(found, async (ids) => {
      await deliveries.change(ids, (delivery) => ({ ...delivery, body: withoutDocument(delivery.body) }));
      if (reduced.size > maxReduced) reduced.clear();
      for (const id of ids) reduced.add(id);
    });
  };

  const sweepIdempotency = async (): Promise<void> => {
    const where = `answer IS NOT NULL AND answer != '${noAnswer}'`;
    const found = await idempotency.scan(["id", "documentId"], { where }, (row) =>
      isKnown(row.string("documentId"), null) ? null : row.string("id"),
    );
    await inPages(found, (ids) => idempotency.change(ids, (request) => ({ ...request, answer: noAnswer })));
  };

  /**
   * Removes pages whose document is gone: they will be fetched as new. The first page stays, for the time of the last
   * visit.
   */
  const sweepSitePages = async (): Promise<void> => {
    const found = await sitePages.scan(["id", "documentId", "depth", "sha256"], {}, (row) => {
      const documentId = row.nullableString("documentId");
      if (documentId === null || isKnown(documentId, null) || row.string("sha256") === "") return null;
      return { id: row.string("id"), isFirst: row.number("depth") === 0 };
    });
    const gone = found.filter((row) => row !== null);
    const first = gone.filter(({ isFirst }) => isFirst).map(({ id }) => id);
    const others = gone.filter(({ isFirst }) => !isFirst).map(({ id }) => id);
    await inPages(others, (ids) => sitePages.remove("gone", "id", ids));
    await inPages(first, (ids) =>
      sitePages.change(ids, (row) => ({ ...row, etag: null, lastModified: null, sha256: "", links: [] })),
    );
  };

  const after = documentRows.name;
  return [
    { after, of: messages.definition.name, run: sweepMessages },
    { after, of: deliveries.definition.name, run: sweepDeliveries },
    { after, of: idempotency.definition.name, run: sweepIdempotency },
    { after, of: sitePages.definition.name, run: sweepSitePages },
  ];
};

const inPages = async (
  found: readonly (string | null)[],
  work: (ids: readonly string[]) => Promise<void>,
): Promise<void> => {
  const ids = found.filter((id) => id !== null);
  const failures: string[] = [];
  for (let start = 0; start < ids.length; start += pageRows)
    await inHalves(ids.slice(start, start + pageRows), work, failures);
  if (failures.length > 0) throw new Error(`${failures.length} rows, the first is ${failures[0]}`);
};

/** One row that fails holds back no other: where rows fail together, each half is tried alone. */
const inHalves = async (
  ids: readonly string[],
  work: (ids: readonly string[]) => Promise<void>,
  failures: string[],
): Promise<void> => {
  try {
    await work(ids);
  } catch (error) {
    const [only] = ids;
    // On a full disk they all fail.
    if (error instanceof ApiError) throw error;
    if (ids.length === 1) failures.push(`${only}: ${messageOf(error)}`);
    else for (const half of halvesOf(ids)) await inHalves(half, work, failures);
  }
};

const halvesOf = (ids: readonly string[]): string[][] => {
  const middle = Math.ceil(ids.length / 2);
  return [ids.slice(0, middle), ids.slice(middle)];
};

/** Fields of a document that hold none of its content. */
const keptKeys = ["id", "organizationId", "partitionId", "createdAt", "updatedAt", "status"];

/**
 * The body of a webhook without the content of its document: for webhooks that are sent after the document was removed.
 */
export const withoutDocument = (body: string): string => {
  const { data, ...rest } = parseJson(body, isObject);
  const known: JsonObject = isObject(data) ? data : {};
  const kept = keptKeys.filter((key) => key in known).map((key) => [key, known[key]] as const);
  return JSON.stringify({ ...rest, data: { ...Object.fromEntries(kept), deleted: true } });
};
