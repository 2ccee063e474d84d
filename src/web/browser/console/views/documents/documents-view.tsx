import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { EmptyNote } from "../../components/empty-note.tsx";
import { FailureNote } from "../../components/failure-note.tsx";
import { FirstSteps } from "../../components/first-steps.tsx";
import { Loading } from "../../components/loading.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { usePartitions } from "../../state/partitions.ts";
import { mayWrite } from "../../state/session.ts";
import { AddMenu } from "./adding/add-menu.tsx";
import { addingPlace } from "./adding/adding-state.ts";
import { UploadStrip } from "./adding/upload-strip.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { DocumentTable } from "./document-table.tsx";
import { Filters } from "./filters.tsx";
import { hiddenDocuments } from "./hidden-documents.ts";
import { isFiltered, type ListQuery, listAddress, readListQuery, wholeList } from "./list-query.ts";
import { Pager } from "./pager.tsx";
import { RereadDialog } from "./reread/reread-dialog.tsx";
import { documentsStrings as texts } from "./strings.ts";
import { useDocumentList } from "./use-document-list.ts";

/** The documents: what there is, how each is, and adding more. */
export const DocumentsView = () => {
  const { query: given, route } = useLocation();
  const query = readListQuery(given);
  const body = useRef<HTMLTableSectionElement>(null);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const reread = useSignal<readonly DocumentRecord[] | null>(null);
  const partitions = usePartitions();
  const isHeld = () =>
    selected.peek().size > 0 ||
    body.current?.matches(":hover") === true ||
    body.current?.contains(document.activeElement) === true;
  const list = useDocumentList(query, isHeld);
  const change = (to: Partial<ListQuery>) => route(listAddress({ ...query, page: 1, ...to }), true);

  const address = listAddress(query);
  useEffect(() => {
    selected.value = new Set();
  }, [address]);
  useEffect(() => scrollTo(0, 0), [query.page]);
  useEffect(() => {
    addingPlace.value = partitions.find(({ id }) => id === query.partitionId) ?? null;
    return () => {
      addingPlace.value = null;
    };
  }, [query.partitionId, partitions]);

  const rows = list.rows?.filter(({ id }) => !hiddenDocuments.value.has(id));
  const chosen = rows?.filter(({ id }) => selected.value.has(id)) ?? [];
  const select = (ids: readonly string[], isSelected: boolean) => {
    const next = new Set(selected.peek());
    for (const id of ids) {
      if (isSelected) next.add(id);
      else next.delete(id);
    }
    selected.value = next;
  };
  const isEmpty = rows?.length === 0 && list.total === 0;

  return (
    <div class="documents-view">
      <ViewHeader title={texts.title} count={list.total || null}>
        {chosen.length > 0 ? (
          <BulkBar
            documents={chosen}
            partitions={partitions}
            onDone={() => (selected.value = new Set())}
            onReread={() => (reread.value = chosen)}
          />
        ) : isEmpty && !isFiltered(query) ? null : (
          <Filters query={query} partitions={partitions} onChange={change} />
        )}
        {mayWrite() && <AddMenu />}
      </ViewHeader>
      <UploadStrip />
      <FailureNote error={list.error} onRetry={list.refresh} />
      {list.newer > 0 && (
        <button type="button" class="newer" onClick={list.refresh}>
          {texts.newer(list.newer)}
        </button>
      )}
      {rows === undefined && list.error === null && <Loading />}
      {isEmpty && isFiltered(query) && (
        <EmptyNote title={texts.nothingFound}>
          <p>{texts.nothingFoundText}</p>
          <a class="button" href={listAddress(wholeList)}>
            {texts.clearFilters}
          </a>
        </EmptyNote>
      )}
      {isEmpty && !isFiltered(query) && <FirstSteps />}
      {rows !== undefined && !isEmpty && (
        <DocumentTable
          body={body}
          rows={rows}
          partitions={partitions}
          isOldestFirst={query.isOldestFirst}
          onTurn={() => change({ isOldestFirst: !query.isOldestFirst })}
          selected={selected.value}
          onSelect={select}
        />
      )}
      {reread.value !== null && <RereadDialog documents={reread.value} onClose={() => (reread.value = null)} />}
      {list.total !== null && !isEmpty && (
        <Pager page={query.page} total={list.total} addressOf={(page) => listAddress({ ...query, page })} />
      )}
    </div>
  );
};
