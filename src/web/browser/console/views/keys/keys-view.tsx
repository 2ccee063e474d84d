import { useSignal } from "@preact/signals";
import type { IssuedKey, Key } from "../../../shared/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { FailureNote } from "../../components/failure-note.tsx";
import { Loading } from "../../components/loading.tsx";
import { MoreButton } from "../../components/more-button.tsx";
import { toast } from "../../components/toasts.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { AdminsOnly } from "../../frame/admins-only.tsx";
import { useCommands } from "../../state/commands.ts";
import { usePartitions } from "../../state/partitions.ts";
import { client, isAdmin, session } from "../../state/session.ts";
import { usePages } from "../../state/use-pages.ts";
import { CreateKey } from "./create-key.tsx";
import { IssuedKeyDialog } from "./issued-key.tsx";
import { KeyTable } from "./key-table.tsx";
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
      {items !== undefined && (
        <KeyTable
          keys={items}
          partitions={partitions}
          onRevoke={(key) => {
            revoking.value = key;
          }}
        />
      )}
      <MoreButton pages={pages} />
      {isCreating.value && (
        <CreateKey
          partitions={partitions}
          onClose={() => {
            isCreating.value = false;
          }}
          onIssued={(key) => {
            isCreating.value = false;
            issued.value = key;
            pages.reload();
          }}
        />
      )}
      {issued.value !== null && (
        <IssuedKeyDialog
          issued={issued.value}
          onClose={() => {
            issued.value = null;
          }}
        />
      )}
      {revoking.value !== null && (
        <RevokeKey
          apiKey={revoking.value}
          onRevoked={pages.reload}
          onClose={() => {
            revoking.value = null;
          }}
        />
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
