import { useSignal } from "@preact/signals";
import type { IssuedKey, Key, Partition } from "../../../shared/api.ts";
import { writeTo } from "../../../shared/controls.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { RelativeTime, StateWord } from "../../components/facts.tsx";
import { ListTable, MoreButton } from "../../components/lists.tsx";
import { FailureNote, Loading } from "../../components/notes.tsx";
import { AdminsOnly } from "../../components/rights.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { useCommands } from "../../state/commands.ts";
import { usePages } from "../../state/loaded.ts";
import { toast } from "../../state/messages.ts";
import { usePartitions } from "../../state/partitions.ts";
import { client, isAdmin, session } from "../../state/session.ts";
import { CreateKey, IssuedKeyDialog } from "./create-key.tsx";
import { keysStrings as words } from "./strings.ts";

/** Keys of the organization, for admins; others read what theirs may do. */
export const KeysView = () =>
  isAdmin() ? <KeyList /> : <AdminsOnly title={words.title} who={words.adminsOnly} instead={words.askAdmin} />;

const KeyList = () => {
  const isCreating = useSignal(false);
  const issued = useSignal<IssuedKey | null>(null);
  const revoking = useSignal<Key | null>(null);
  const pages = usePages<Key>((query, stop) => client.list("/api/key", query, stop));
  const partitions = usePartitions();
  const create = () => {
    isCreating.value = true;
  };
  useCommands(() => [{ id: "create-key", title: words.create, keys: "n", run: create }]);
  const { items, total, error } = pages;
  return (
    <>
      <ViewHeader title={words.title} count={total}>
        <button type="button" class="primary" onClick={create}>
          {words.create}
        </button>
      </ViewHeader>
      <FailureNote error={error} onRetry={pages.reload} />
      {items === undefined && error === null && <Loading />}
      {items !== undefined && <KeyTable keys={items} partitions={partitions} onRevoke={writeTo(revoking)} />}
      <MoreButton pages={pages} />
      {isCreating.value && (
        <CreateKey
          partitions={partitions}
          onClose={() => (isCreating.value = false)}
          onIssued={(key) => {
            isCreating.value = false;
            issued.value = key;
            pages.reload();
          }}
        />
      )}
      {issued.value !== null && <IssuedKeyDialog issued={issued.value} onClose={() => (issued.value = null)} />}
      {revoking.value !== null && (
        <RevokeKey apiKey={revoking.value} onRevoked={pages.reload} onClose={() => (revoking.value = null)} />
      )}
    </>
  );
};

interface RevokeKeyProps {
  apiKey: Key;
  onRevoked(): void;
  onClose(): void;
}

const RevokeKey = ({ apiKey, onRevoked, onClose }: RevokeKeyProps) => (
  <ConfirmDialog
    title={words.revokeTitle(apiKey.name)}
    action={words.revoke}
    onClose={onClose}
    run={async () => {
      await client.send("DELETE", `/api/key/${apiKey.id}`);
      toast(words.revoked(apiKey.name));
      onRevoked();
    }}
  >
    <p>{words.revokeLead}</p>
    {apiKey.id === session.value?.id && <p class="notice">{words.revokeOwn}</p>}
  </ConfirmDialog>
);

interface KeyTableProps {
  keys: readonly Key[];
  partitions: readonly Partition[];
  onRevoke(key: Key): void;
}

const KeyTable = ({ keys, partitions, onRevoke }: KeyTableProps) => (
  <ListTable
    stacks
    class="key-table"
    columns={[words.name, words.role, words.partition, words.user, words.createdAt, words.expires]}
    actions={words.revoke}
  >
    {keys.map((key) => (
      <tr key={key.id}>
        <td class="name">
          <bdi>{key.name}</bdi> {key.id === session.value?.id && <span class="chip">{words.own}</span>}
        </td>
        <td class="short">{words.roles[key.role]}</td>
        <td data-label={words.partition}>
          <bdi>{nameOf(key.partitionId, partitions)}</bdi>
        </td>
        <td data-label={words.user}>
          <bdi>{key.userId}</bdi>
        </td>
        <td class="time quiet" data-label={words.createdAt}>
          <RelativeTime at={key.createdAt} />
        </td>
        <td class="time" data-label={words.expires}>
          <Expiry at={key.expiresAt} />
        </td>
        <td>
          <div class="row-actions">
            <button type="button" class="quiet" aria-label={words.revokeTitle(key.name)} onClick={() => onRevoke(key)}>
              {words.revoke}
            </button>
          </div>
        </td>
      </tr>
    ))}
  </ListTable>
);

const nameOf = (id: string | null, partitions: readonly Partition[]): string =>
  id === null ? words.everything : (partitions.find((each) => each.id === id)?.name ?? id);

const Expiry = ({ at }: { at: string | null }) => {
  if (at === null) return <span class="quiet">{words.never}</span>;
  if (Date.parse(at) <= Date.now()) return <StateWord mood="bad">{words.expired}</StateWord>;
  return <RelativeTime at={at} />;
};
