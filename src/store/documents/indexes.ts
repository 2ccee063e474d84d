import type { DocumentRecord, IndexInfo } from "../../domain/records.ts";
import type { IndexStore } from "../contract/search.ts";
import { isOneOf } from "../engine/filters.ts";
import { byCreation } from "../engine/paging.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { LiveIndex } from "../search/live-indexes.ts";
import { isMadeAlike } from "../search/live-indexes.ts";
import { newIndex } from "../search/open-indexes.ts";
import type { StoredSnippet } from "../search/snippet-rows.ts";
import { toStoredSnippets } from "./document-rows.ts";
import type { DocumentTables } from "./document-tables.ts";

interface IndexStoreDependencies extends DocumentTables {
  indexes: StoreTable<IndexInfo>;
  openIndex(info: IndexInfo): Promise<LiveIndex>;
  /** Drops the tables of an index. */
  dropIndex(index: LiveIndex): void;
}

const isCurrent = (document: DocumentRecord): document is DocumentRecord & { revision: string } =>
  document.revision !== null;

export const createIndexStore = (dependencies: IndexStoreDependencies): IndexStore => {
  const { documents, records, live, revisions, indexes, gate, serialize } = dependencies;

  const abandon = async (): Promise<void> => {
    const { building } = live;
    if (building === null) return;
    live.building = null;
    await indexes.remove("indexes", "id", [building.info.id]);
    dependencies.dropIndex(building);
  };

  const currentRevisions = async (): Promise<{ id: string; revision: string }[]> => {
    const current: { id: string; revision: string }[] = [];
    await documents.visit(
      ["id", "revision", "createdAt"],
      "revision IS NOT NULL",
      (row) => {
        current.push({ id: row.string("id"), revision: row.string("revision") });
        return true;
      },
      byCreation("asc"),
    );
    return current;
  };

  return {
    active: () => live.active.info,
    building: () => live.building?.info ?? null,
    begin: (description) =>
      gate.exclusive(async () => {
        const current = live.building?.info;
        if (current !== undefined && isMadeAlike(current, description)) return current;
        await abandon();
        const info = newIndex(description, "building");
        const index = await dependencies.openIndex(info);
        await indexes.upsert("indexes", [info]);
        live.building = index;
        return info;
      }),
    async missing(limit) {
      const { building } = live;
      const rows = await currentRevisions();
      if (building === null) return { documents: [], done: rows.length, total: rows.length };
      const lacking = rows.filter(({ revision }) => !building.filled.has(revision));
      const ids = lacking.slice(0, limit).map(({ id }) => id);
      const found = ids.length === 0 ? [] : await documents.find({ where: isOneOf("id", ids) });
      const byId = new Map(found.map((document) => [document.id, document]));
      return {
        documents: ids.flatMap((id) => byId.get(id) ?? []).filter(isCurrent),
        done: rows.length - lacking.length,
        total: rows.length,
      };
    },
    fill: (document, snippets) =>
      gate.shared(() =>
        serialize(document.id, async () => {
          const { building } = live;
          const { revision } = document;
          if (building === null || revision === null || building.filled.has(revision)) return;
          const { organizationId } = document;
          const current = await records.find({ organizationId, partitionId: null }, document.id);
          if (current === null || current.revision !== revision) return;
          if (snippets.some(({ vectors }) => !vectors.has(building.info.id))) {
            throw new Error("a snippet without an entry for the index that is being built");
          }
          const rows = toStoredSnippets(building, current, snippets);
          await building.segments.append((newest) =>
            newest.add(
              revision,
              rows.map((row) => ({ ...row, revision })),
            ),
          );
          building.filled.add(revision);
        }),
      ),
    async snippetsOf(wanted) {
      const byRevision = new Map(wanted.filter(isCurrent).map(({ id, revision }) => [revision, id]));
      const found = new Map(wanted.map(({ id }) => [id, [] as StoredSnippet[]]));
      if (byRevision.size === 0) return found;
      const rows = await live.active.segments.find(isOneOf("revision", [...byRevision.keys()]));
      for (const row of rows.sort((a, b) => a.position - b.position))
        found.get(byRevision.get(row.revision) ?? "")?.push(row);
      return found;
    },
    lacksVectors: async () => (await live.active.segments.count("vector IS NULL")) > 0,
    promote: () =>
      gate.exclusive(async () => {
        const { active, building } = live;
        if (building === null) throw new Error("no index is being built");
        // The gate holds back all publishing: no document can be missed.
        if ((await currentRevisions()).some(({ revision }) => !building.filled.has(revision))) return false;
        const info: IndexInfo = { ...building.info, state: "active" };
        // Writing this row makes the change; removing the old row only tidies up.
        await indexes.upsert("indexes", [{ ...info, createdAt: Date.now() }]);
        building.info = info;
        live.active = building;
        live.building = null;
        building.filled.clear();
        dependencies.lacking.restart(); // another analysis may have made more snippets, or fewer
        dependencies.onSearchableChange();
        await indexes.remove("indexes", "id", [active.info.id]);
        dependencies.inBackground(revisions.viewsClosed().then(() => dependencies.dropIndex(active)));
        return true;
      }),
    abandon: () => gate.exclusive(abandon),
  };
};
