import type { IndexDescription, IndexInfo, VectorSetInfo } from "../../domain/records.ts";
import type { Segment, Segments } from "../segments/segments.ts";
import type { RecentSnippets } from "./recent-snippets.ts";
import type { StoredSnippet, StoredVector } from "./snippet-rows.ts";
import type { UnindexedSnippets } from "./unindexed-snippets.ts";

/** One of the tables that the snippets of an index are in. */
export interface SnippetSegment extends Segment<StoredSnippet> {
  /** Whether its vectors have an index of codes, as far as the last upkeep knows. */
  hasVectorIndex(): boolean;
  readonly recent: RecentSnippets;
  /** Rows that the table's indexes do not hold yet. */
  readonly unindexed: Pick<UnindexedSnippets, "of" | "having" | "isBehind" | "standing">;
}

/** An index whose tables are open. */
export interface LiveIndex {
  info: IndexInfo;
  readonly segments: Segments<StoredSnippet, SnippetSegment>;
  /** Revisions that it holds, if it is being built. */
  readonly filled: Set<string>;
}

/** The indexes that documents are written to. */
export interface LiveIndexes {
  active: LiveIndex;
  building: LiveIndex | null;
}

/** An organization with at least this part of an index's rows is searched without a condition on each row. */
const nearlyAll = 0.9;

/** Whether an organization has nearly all rows of an index, or of a segment. @param snippets that it has */
export const hasNearlyAll = async (of: { count(): Promise<number> }, snippets: number): Promise<boolean> =>
  snippets >= nearlyAll * (await of.count());

export const allOfIndexes = (live: LiveIndexes): LiveIndex[] =>
  live.building === null ? [live.active] : [live.active, live.building];

/** A vector set whose tables are open. */
export interface LiveVectorSet {
  info: VectorSetInfo;
  readonly segments: Segments<StoredVector>;
}

/** The vector sets that are kept in step with the documents. */
export interface LiveVectorSets {
  active: LiveVectorSet | null;
  building: LiveVectorSet | null;
}

/** New vectors of a document, by the set that they are for. */
export type VectorRows = ReadonlyMap<LiveVectorSet, readonly StoredVector[]>;

export const noVectorRows: VectorRows = new Map();

export const allOfVectorSets = ({ active, building }: LiveVectorSets): LiveVectorSet[] =>
  [active, building].filter((set) => set !== null);

/** The set that vectors are made for. */
export const filledSet = ({ active, building }: LiveVectorSets): LiveVectorSet | null => building ?? active;

/** The set that questions use. */
export const searchedSet = ({ active, building }: LiveVectorSets): LiveVectorSet | null => active ?? building;

/** Whether a search index or vector set is what the description asks for. */
export const isMadeAlike = (info: IndexInfo, description: IndexDescription): boolean =>
  info.provider === description.provider &&
  info.model === description.model &&
  info.dimensions === description.dimensions &&
  info.modelRevision === (description.modelRevision ?? "") &&
  info.analysisVersion === description.analysisVersion;
