import type { IndexDescription, IndexInfo } from "../../domain/records.ts";

/** Whether a search index or vector set is what the description asks for. */
export const isMadeAlike = (info: IndexInfo, description: IndexDescription): boolean =>
  info.provider === description.provider &&
  info.model === description.model &&
  info.dimensions === description.dimensions &&
  info.modelRevision === (description.modelRevision ?? "") &&
  info.analysisVersion === description.analysisVersion;
