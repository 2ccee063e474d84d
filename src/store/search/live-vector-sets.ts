import type { IndexDescription, IndexInfo, VectorSetInfo } from "../../domain/records.ts";
import type { Segments } from "../segments/segments.ts";
import type { StoredVector } from "./vector-rows.ts";

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
