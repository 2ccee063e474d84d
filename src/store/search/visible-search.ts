import type { Tenant } from "../../domain/records.ts";
import type { SearchScope } from "../contract/search.ts";
import type { RevisionSnapshot } from "../documents/revisions.ts";
import type { ScopeFilter } from "../documents/scope-filter.ts";
import { allOf, isNoneOf } from "../engine/filters.ts";

/** How often a search is repeated because a new revision was written while it ran. */
const maxRepeats = 3;

/** Makes the condition of a scope once: text search, vector search and count use the same one. */
export const createScopeConditions = (
  scopes: ScopeFilter,
): ((tenant: Tenant, scope: SearchScope) => Promise<string>) => {
  const conditions = new WeakMap<SearchScope, { tenant: Tenant; condition: Promise<string> }>();
  return (tenant, scope) => {
    const known = conditions.get(scope);
    if (known?.tenant === tenant) return known.condition;
    const condition = scopes.snippets(tenant, scope);
    conditions.set(scope, { tenant, condition });
    return condition;
  };
};

/** Searches that give only hits of the revisions that a snapshot sees. */
export interface VisibleSearch {
  /** A condition without the rows of revisions that the snapshot does not see. */
  visible(condition: string): string;
  /** Repeats a search until all its hits are of revisions that the snapshot sees. */
  search<T extends { revision: string }>(condition: string, run: (where: string) => Promise<T[]>): Promise<T[]>;
  /** Closes the snapshot; later searches fail. */
  close(): void;
}

export const createVisibleSearch = (snapshot: RevisionSnapshot): VisibleSearch => {
  let isClosed = false;
  const visible = (condition: string): string => allOf(condition, isNoneOf("revision", snapshot.excluded()));
  return {
    visible,
    async search(condition, run) {
      if (isClosed) throw new Error("the view is closed");
      for (let repeat = 0; ; repeat += 1) {
        const found = await run(visible(condition));
        const seen = found.filter((hit) => snapshot.sees(hit.revision));
        if (seen.length === found.length || repeat === maxRepeats) return seen;
      }
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      snapshot.close();
    },
  };
};
