import { useSignal } from "@preact/signals";
import type { Partition } from "../../../shared/api.ts";
import { EmptyNote } from "../../components/empty-note.tsx";
import { FailureNote } from "../../components/failure-note.tsx";
import { Loading } from "../../components/loading.tsx";
import { MoreButton } from "../../components/more-button.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { useCommands } from "../../state/commands.ts";
import { client, mayWrite, session } from "../../state/session.ts";
import { usePages } from "../../state/use-pages.ts";
import { CreatePartition, DeletePartition, RenamePartition } from "./partition-dialogs.tsx";
import { PartitionTable } from "./partition-table.tsx";
import { partitionsStrings as words } from "./strings.ts";

type Shown = { what: "create" } | { what: "rename" | "delete"; partition: Partition };

/** Collections of documents: create, rename, delete, look into. */
export const PartitionsView = () => {
  const search = useSignal("");
  const shown = useSignal<Shown | null>(null);
  const pages = usePages<Partition>(
    (query, stop) => {
      const typed = search.value.trim();
      return typed === ""
        ? client.list("/api/partition", query, stop)
        : client.list("/api/partition/search", { ...query, searchValue: typed }, stop);
    },
    [search.value],
  );
  // A key that is limited to a partition cannot make others.
  const mayCreate = mayWrite() && session.value?.partitionId === null;
  const close = () => {
    shown.value = null;
  };
  const create = () => {
    shown.value = { what: "create" };
  };
  useCommands(
    () => (mayCreate ? [{ id: "create-partition", title: words.create, keys: "n", run: create }] : []),
    [mayCreate],
  );
  const show = (what: "rename" | "delete") => (partition: Partition) => {
    shown.value = { what, partition };
  };
  const { items, total, error } = pages;
  const isFiltered = search.value.trim() !== "";
  const createButton = mayCreate && (
    <button type="button" class="primary" onClick={create}>
      {words.create}
    </button>
  );

  return (
    <>
      <ViewHeader title={words.title} count={total}>
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          onInput={(event) => {
            search.value = event.currentTarget.value;
          }}
        />
        {createButton}
      </ViewHeader>
      <FailureNote error={error} onRetry={pages.reload} />
      {items === undefined && error === null && <Loading />}
      {items?.length === 0 && !isFiltered && (
        <EmptyNote title={words.emptyTitle}>
          <p>{words.empty}</p>
          {createButton}
        </EmptyNote>
      )}
      {items?.length === 0 && isFiltered && <p class="quiet">{words.nothingFound}</p>}
      {items !== undefined && items.length > 0 && (
        <PartitionTable partitions={items} onRename={show("rename")} onDelete={show("delete")} />
      )}
      <MoreButton pages={pages} />
      {shown.value?.what === "create" && <CreatePartition onClose={close} onChange={pages.reload} />}
      {shown.value?.what === "rename" && (
        <RenamePartition partition={shown.value.partition} onClose={close} onChange={pages.reload} />
      )}
      {shown.value?.what === "delete" && (
        <DeletePartition partition={shown.value.partition} onClose={close} onChange={pages.reload} />
      )}
    </>
  );
};
