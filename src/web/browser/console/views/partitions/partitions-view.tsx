import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Partition } from "../../../shared/api.ts";
import { typeInto } from "../../../shared/controls.tsx";
import { ConfirmDialog, NameDialog } from "../../components/dialog.tsx";
import { RelativeTime } from "../../components/facts.tsx";
import { ListTable, MoreButton } from "../../components/lists.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { EmptyNote, FailureNote, Loading } from "../../components/notes.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { useCommands } from "../../state/commands.ts";
import { usePages } from "../../state/loaded.ts";
import { toast } from "../../state/messages.ts";
import { client, mayWrite, session } from "../../state/session.ts";
import { listAddress, wholeList } from "../documents/list-query.ts";

/** Texts of the partitions view. */
const words = {
  title: "Partitions",
  create: "New partition",
  name: "Name",
  documents: "Documents",
  created: "Created",
  search: "Search by name",
  actions: (name: string) => `Actions for ${name}`,
  open: "Show its documents",
  rename: "Rename",
  remove: "Delete",
  createSubmit: "Create",
  renameSubmit: "Rename",
  renameTitle: (name: string) => `Rename “${name}”`,
  removeTitle: (name: string) => `Delete “${name}”`,
  removeEmpty: "It holds no documents. Chats and keys that are limited to it will find nothing.",
  removeQuestion: (count: number) =>
    count === 1
      ? "It holds one document. What becomes of it?"
      : `It holds ${count.toLocaleString()} documents. What becomes of them?`,
  detach: "Keep them, outside of any partition",
  erase: "Delete them too. This cannot be undone.",
  createdNote: (name: string) => `Partition “${name}” created`,
  existed: (name: string) => `There is a partition “${name}” already`,
  renamed: (name: string) => `Renamed to “${name}”`,
  removed: (name: string) => `Partition “${name}” deleted`,
  emptyTitle: "No partitions yet",
  empty:
    "A partition is a collection of documents, such as a team's handbook. Questions, chats and keys can be limited to one.",
  nothingFound: "No partition is called so.",
  hint: "Up to 255 characters. An ingest names the partition and creates it where it is missing.",
};

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
        <input type="search" aria-label={words.search} placeholder={words.search} onInput={typeInto(search)} />
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
      {shown.value?.what === "create" && (
        <CreatePartition known={items ?? []} onClose={close} onChange={pages.reload} />
      )}
      {shown.value?.what === "rename" && (
        <RenamePartition partition={shown.value.partition} onClose={close} onChange={pages.reload} />
      )}
      {shown.value?.what === "delete" && (
        <DeletePartition partition={shown.value.partition} onClose={close} onChange={pages.reload} />
      )}
    </>
  );
};

interface PartitionTableProps {
  partitions: readonly Partition[];
  onRename(partition: Partition): void;
  onDelete(partition: Partition): void;
}

/** The documents of a partition, as the documents view filters them. */
const documentsOf = ({ id }: Partition): string => listAddress({ ...wholeList, partitionId: id });

const PartitionTable = ({ partitions, onRename, onDelete }: PartitionTableProps) => {
  const { route } = useLocation();
  const menuOf = (partition: Partition) => [
    { label: words.open, run: () => route(documentsOf(partition)) },
    ...(mayWrite()
      ? [
          { label: words.rename, run: () => onRename(partition) },
          { label: words.remove, isDangerous: true, run: () => onDelete(partition) },
        ]
      : []),
  ];
  return (
    <ListTable
      columns={[
        words.name,
        <th key="documents" class="number">
          {words.documents}
        </th>,
        words.created,
      ]}
      actions={words.actions("")}
    >
      {partitions.map((partition) => (
        <tr key={partition.id}>
          <td class="name">
            <a href={documentsOf(partition)}>
              <bdi>{partition.name}</bdi>
            </a>
          </td>
          <td class="number">{partition.documents.toLocaleString()}</td>
          <td class="time quiet">
            <RelativeTime at={partition.createdAt} />
          </td>
          <td>
            <div class="row-actions">
              <MoreMenu label={words.actions(partition.name)} items={menuOf(partition)} />
            </div>
          </td>
        </tr>
      ))}
    </ListTable>
  );
};

interface DialogProps {
  onClose(): void;
  /** Something changed: the list is loaded again. */
  onChange(): void;
}

/** @param known those of the list: the server answers a name that is taken with the partition that has it */
const CreatePartition = ({ known, onClose, onChange }: DialogProps & { known: readonly Partition[] }) => (
  <NameDialog
    title={words.create}
    label={words.name}
    hint={words.hint}
    submit={words.createSubmit}
    onClose={onClose}
    run={async (name) => {
      const made = await client.send<Partition>("POST", "/api/partition", { name });
      toast(known.some(({ id }) => id === made.id) ? words.existed(made.name) : words.createdNote(made.name));
      onChange();
    }}
  />
);

const RenamePartition = ({ partition, onClose, onChange }: DialogProps & { partition: Partition }) => (
  <NameDialog
    title={words.renameTitle(partition.name)}
    label={words.name}
    initial={partition.name}
    submit={words.renameSubmit}
    onClose={onClose}
    run={async (name) => {
      await client.send<Partition>("PUT", `/api/partition/${partition.id}`, { name });
      toast(words.renamed(name));
      onChange();
    }}
  />
);

/** Deletes a partition; asks what becomes of its documents. */
const DeletePartition = ({ partition, onClose, onChange }: DialogProps & { partition: Partition }) => {
  const id = useId();
  const fate = useSignal<"detach" | "delete">("detach");
  const { name, documents } = partition;
  const choice = (value: "detach" | "delete", label: string) => (
    <label class="choice">
      <input
        type="radio"
        name={id}
        checked={fate.value === value}
        onChange={() => {
          fate.value = value;
        }}
      />
      {label}
    </label>
  );
  return (
    <ConfirmDialog
      title={words.removeTitle(name)}
      action={words.remove}
      onClose={onClose}
      run={async () => {
        const query = documents > 0 ? `?documents=${fate.value}` : "";
        await client.send("DELETE", `/api/partition/${partition.id}${query}`);
        toast(words.removed(name));
        onChange();
      }}
    >
      {documents === 0 ? (
        <p>{words.removeEmpty}</p>
      ) : (
        <fieldset>
          <legend>{words.removeQuestion(documents)}</legend>
          {choice("detach", words.detach)}
          {choice("delete", words.erase)}
        </fieldset>
      )}
    </ConfirmDialog>
  );
};
