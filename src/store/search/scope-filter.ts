import { createHash } from "node:crypto";
import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import { ApiError } from "../../domain/errors.ts";
import type { DocumentRecord, JsonObject, Tenant } from "../../domain/records.ts";
import type { MetadataCondition, MetadataFilter, MetadataScalar, SearchScope } from "../contract/search.ts";
import { allOf, equals, isOneOf, quote, visibleTo } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";

/**
 * Metadata filters. Every top-level entry of a document's metadata is also stored as one string, its pair, in a list
 * column with an index, which answers equality, `$in` and `$ne`. Order comparisons are evaluated on the JSON itself, and
 * become a condition on the ids of the documents found.
 */

type Operators = Exclude<MetadataCondition, MetadataScalar>;

/** Longer pairs are stored as their hash. */
const maxPairCharacters = 120;

/** The snippets of documents with more entries have no pairs: every snippet would carry them all. */
export const maxSnippetPairs = 64;

/** The mark of such documents, and the only entry of their snippets. A pair begins with `[` or `#`. */
const tooManyPairs = "*";

/** JSON with sorted keys: equal values have equal text. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
};

/** The pair of one entry. The number 1 and the string "1" have different pairs. */
export const toPair = (key: string, value: unknown): string => {
  const pair = `[${JSON.stringify(key)},${canonicalJson(value)}]`;
  return pair.length <= maxPairCharacters ? pair : `#${createHash("sha256").update(pair).digest("base64url")}`;
};

/** The pairs of a document: all of them, and the mark if there are too many. */
export const toPairs = (metadata: JsonObject | null): string[] => {
  const pairs = Object.entries(metadata ?? {}).map(([key, value]) => toPair(key, value));
  return pairs.length > maxSnippetPairs ? [...pairs, tooManyPairs] : pairs;
};

/** The pairs of the snippets of a document. */
export const toSnippetPairs = (metadata: JsonObject | null): string[] => {
  const pairs = toPairs(metadata);
  return pairs.length > maxSnippetPairs ? [tooManyPairs] : pairs;
};

const isOperators = (condition: MetadataCondition): condition is Operators =>
  typeof condition === "object" && condition !== null;

/** Whether metadata passes a filter. The SQL form must have the same meaning. A missing key passes only `$ne`. */
export const matchesMetadata = (metadata: JsonObject | null, filter: MetadataFilter): boolean =>
  Object.entries(filter).every(([key, condition]) => {
    const present = metadata !== null && Object.hasOwn(metadata, key);
    const value = present ? metadata[key] : undefined;
    const equalTo = (other: unknown): boolean => present && canonicalJson(value) === canonicalJson(other);
    if (!isOperators(condition)) return equalTo(condition);
    if (condition.$in !== undefined && !condition.$in.some(equalTo)) return false;
    if (condition.$ne !== undefined && equalTo(condition.$ne)) return false;
    return (
      inOrder(value, condition.$gt, (order) => order > 0) &&
      inOrder(value, condition.$gte, (order) => order >= 0) &&
      inOrder(value, condition.$lt, (order) => order < 0) &&
      inOrder(value, condition.$lte, (order) => order <= 0)
    );
  });

/** Whether stored metadata can pass at all: an order comparison needs its key in the JSON text. Faster than parsing. */
const mayMatch = (metadataJson: string | null, filter: MetadataFilter): boolean =>
  Object.entries(filter).every(
    ([key, condition]) => !hasOrder(condition) || (metadataJson?.includes(JSON.stringify(key)) ?? false),
  );

const hasOrder = (condition: MetadataCondition): boolean =>
  isOperators(condition) &&
  [condition.$gt, condition.$gte, condition.$lt, condition.$lte].some((bound) => bound !== undefined);

/** Numbers compare with numbers and strings with strings (by UTF-16 code units); a mixed comparison does not hold. */
const inOrder = (value: unknown, bound: number | string | undefined, holds: (order: number) => boolean): boolean => {
  if (bound === undefined) return true;
  if (typeof value === "number" && typeof bound === "number") return holds(value - bound);
  if (typeof value === "string" && typeof bound === "string") return holds(value < bound ? -1 : value > bound ? 1 : 0);
  return false;
};

/** The part of a filter that the pairs can answer. */
interface MetadataPlan {
  /** Condition on the pairs column; null if they can answer nothing. Rows that fail it do not match. */
  sql: string | null;
  /** Whether all rows that pass `sql` match; else the JSON decides. */
  isExact: boolean;
}

const planMetadata = (filter: MetadataFilter, column: string): MetadataPlan => {
  const conditions: string[] = [];
  let isExact = true;
  const has = (key: string, value: unknown): string => `array_has(${column}, ${quote(toPair(key, value))})`;
  // One call for all values: 6,400 conditions with OR between them took 20 s of CPU time to plan.
  const hasAny = (key: string, values: readonly unknown[]): string =>
    `array_has_any(${column}, [${values.map((value) => quote(toPair(key, value))).join(", ")}])`;
  for (const [key, condition] of Object.entries(filter)) {
    if (!isOperators(condition)) {
      conditions.push(has(key, condition));
      continue;
    }
    const { $in, $ne } = condition;
    if ($in !== undefined) conditions.push($in.length === 0 ? "false" : hasAny(key, $in));
    if ($ne !== undefined) conditions.push(`NOT ${has(key, $ne)}`);
    if (hasOrder(condition)) isExact = false;
  }
  const [first, ...rest] = conditions;
  return { sql: first === undefined ? null : allOf(first, ...rest), isExact };
};

const pairsColumn = "metadataPairs";
const hasTooManyPairs = `array_has(${pairsColumn}, ${quote(tooManyPairs)})`;

/** Documents whose ids a condition may list: with this many, a search takes seconds. */
const maxListedDocuments = 200_000;

/** Turns the rights and the filters of a caller into conditions on the tables. */
export interface ScopeFilter {
  /** Condition on the documents table. */
  documents(tenant: Tenant, metadata: MetadataFilter | null, ...rest: (string | false)[]): Promise<string>;
  /** Condition on a snippets table. */
  snippets(tenant: Tenant, scope: SearchScope): Promise<string>;
  /** A document is stored whose snippets do not carry its metadata. */
  noteManyPairs(): void;
}

/** @param hasManyPairs whether there are such documents already */
export const createScopeFilter = (documents: StoreTable<DocumentRecord>, hasManyPairs: boolean): ScopeFilter => {
  let anyManyPairs = hasManyPairs;

  const oneAtATime = createKeyedMutex();

  /** Reads metadata row by row, beside other work, for one caller of an organization at a time. */
  const matchingIds = (tenant: Tenant, where: string, metadata: MetadataFilter): Promise<string[]> =>
    oneAtATime(tenant.organizationId, async () => {
      const matches: string[] = [];
      await documents.visit(["id", "metadata"], where, (row) => {
        const json = row.nullableString("metadata");
        if (!mayMatch(json, metadata)) return true;
        if (matchesMetadata(json === null ? null : JSON.parse(json), metadata)) matches.push(row.string("id"));
        return matches.length <= maxListedDocuments;
      });
      if (matches.length > maxListedDocuments) throw tooManyMatches();
      return matches;
    });

  const metadataOfSnippets = async (tenant: Tenant, metadata: MetadataFilter): Promise<string | null> => {
    const plan = planMetadata(metadata, pairsColumn);
    const visible = visibleTo(tenant);
    if (!plan.isExact) return isOneOf("documentId", await matchingIds(tenant, allOf(visible, plan.sql), metadata));
    if (plan.sql === null || !anyManyPairs) return plan.sql;
    const others = await matchingIds(tenant, allOf(visible, hasTooManyPairs, plan.sql), metadata);
    const byPairs = `NOT ${hasTooManyPairs} AND (${plan.sql})`;
    return others.length === 0 ? byPairs : `(${byPairs}) OR ${isOneOf("documentId", others)}`;
  };

  return {
    async documents(tenant, metadata, ...rest) {
      const where = allOf(visibleTo(tenant), ...rest);
      if (metadata === null) return where;
      const plan = planMetadata(metadata, pairsColumn);
      const narrowed = allOf(where, plan.sql);
      return plan.isExact ? narrowed : allOf(where, isOneOf("id", await matchingIds(tenant, narrowed, metadata)));
    },
    async snippets(tenant, scope) {
      return allOf(
        visibleTo(tenant),
        scope.documentId !== null && equals("documentId", scope.documentId),
        scope.partitionId !== null && equals("partitionId", scope.partitionId),
        scope.metadata !== null && (await metadataOfSnippets(tenant, scope.metadata)),
      );
    },
    noteManyPairs() {
      anyManyPairs = true;
    },
  };
};

const tooManyMatches = (): ApiError => {
  const message = `matches more than ${maxListedDocuments.toLocaleString("en")} documents: narrow it, for example with an equality`;
  return new ApiError("invalid_request", `metadata: ${message}.`, { errors: [{ path: "metadata", message }] });
};

export const countManyPairs = (documents: StoreTable<DocumentRecord>): Promise<number> =>
  documents.count(hasTooManyPairs);
