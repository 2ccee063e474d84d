import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { IssuedKey, Key, KeyRequest, Partition } from "../../../shared/api.ts";
import { writeTo } from "../../../shared/controls.tsx";
import { serverAddress } from "../../../shared/prefix.ts";
import { ConfirmDialog, Dialog, maxNameCharacters, SubmitActions } from "../../components/dialog.tsx";
import { CodeBox, CopyButton, RelativeTime, StateWord } from "../../components/facts.tsx";
import { ListTable, MoreButton } from "../../components/lists.tsx";
import { FailureNote, Loading } from "../../components/notes.tsx";
import { AdminsOnly, RoleRights } from "../../components/rights.tsx";
import { SelectField, TextField } from "../../components/text-field.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { useCommands } from "../../state/commands.ts";
import { usePages, useRun } from "../../state/loaded.ts";
import { toast } from "../../state/messages.ts";
import { usePartitions } from "../../state/partitions.ts";
import { client, isAdmin, session } from "../../state/session.ts";

/** Texts of the keys view. */
const words = {
  title: "Keys",
  create: "New key",
  name: "Name",
  nameHint: "What the key is for: a website, a script, a person.",
  role: "Role",
  roles: { reader: "Reader", writer: "Writer", admin: "Admin" },
  partition: "Partition",
  everything: "Everything",
  partitionHint: "Limited to one partition, the key cannot tell that anything else exists.",
  expiry: "Expires",
  expiries: { never: "Never", week: "In 7 days", month: "In 30 days", quarter: "In 90 days", year: "In a year" },
  createSubmit: "Create key",
  issuedTitle: "Copy this key now",
  issuedLead: "It is not stored and cannot be shown again.",
  issuedUse: "Use it like this",
  issuedDone: "I have copied it",
  copyKey: "Copy key",
  copyCommand: "Copy command",
  createdAt: "Created",
  user: "User",
  expires: "Expires",
  never: "never",
  expired: "expired",
  own: "this key",
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke “${name}”`,
  revokeLead:
    "The next request with it is refused, and consoles that are signed in with it are signed out. This cannot be undone.",
  revokeOwn: "You are signed in with this key: you will be signed out.",
  revoked: (name: string) => `Key “${name}” revoked`,
  adminsOnly: "Only admins manage keys",
  askAdmin: "To get another key, or to have one revoked, ask whoever runs this server.",
};

const roles = ["reader", "writer", "admin"] as const;
const dayMs = 86_400_000;
const expiryDays = { never: null, week: 7, month: 30, quarter: 90, year: 365 } as const;
type Expiry = keyof typeof expiryDays;

interface CreateKeyProps {
  partitions: readonly Partition[];
  onClose(): void;
  onIssued(key: IssuedKey): void;
}

/** Name, role, partition and expiry of a new key. */
const CreateKey = ({ partitions, onClose, onIssued }: CreateKeyProps) => {
  const id = useId();
  const name = useSignal("");
  const role = useSignal<Key["role"]>("reader");
  // An admin key that is limited to a partition issues keys of its own partition.
  const own = session.value?.partitionId ?? null;
  const partitionId = useSignal(own ?? "");
  const expiry = useSignal<Expiry>("never");
  const { failure, isRunning, run } = useRun();

  const submit = (event: Event): void => {
    event.preventDefault();
    if (name.value.trim() === "") return;
    const days = expiryDays[expiry.value];
    const body: KeyRequest = {
      name: name.value.trim(),
      role: role.value,
      ...(partitionId.value === "" ? {} : { partitionId: partitionId.value }),
      ...(days === null ? {} : { expiresAt: new Date(Date.now() + days * dayMs).toISOString() }),
    };
    void run(async () => onIssued(await client.send<IssuedKey>("POST", "/api/key", body)));
  };

  const actions = <SubmitActions form={id} submit={words.createSubmit} isRunning={isRunning.value} onClose={onClose} />;

  return (
    <Dialog title={words.create} onClose={onClose} actions={actions}>
      <form id={id} class="form" onSubmit={submit}>
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={name}
          maxLength={maxNameCharacters}
          required
          autofocus
        />
        <SelectField
          label={words.role}
          value={role.value}
          options={roles.map((each) => [each, words.roles[each]])}
          onChoose={writeTo(role)}
        />
        <RoleRights role={role.value} isLimited={partitionId.value !== ""} />
        <SelectField
          label={words.partition}
          hint={words.partitionHint}
          value={partitionId.value}
          disabled={own !== null}
          options={[["", words.everything], ...partitions.map((each) => [each.id, each.name] as const)]}
          onChoose={writeTo(partitionId)}
        />
        <SelectField
          label={words.expiry}
          value={expiry.value}
          options={Object.entries(words.expiries) as [Expiry, string][]}
          onChoose={writeTo(expiry)}
        />
        <FailureNote error={failure.value} />
      </form>
    </Dialog>
  );
};

/** A command that uses the key; for a POSIX shell. */
const commandWith = (key: string): string =>
  `curl ${serverAddress()}/api/query \\
  -H "Authorization: Bearer ${key}" \\
  -d '{"query": "What is in these documents?"}'`;

/** The new key. It is shown this once, so only its own button closes it. */
const IssuedKeyDialog = ({ issued, onClose }: { issued: IssuedKey; onClose(): void }) => {
  const actions = (
    <button type="button" class="primary" onClick={onClose}>
      {words.issuedDone}
    </button>
  );
  const command = commandWith(issued.key);
  return (
    <Dialog title={words.issuedTitle} onClose={onClose} actions={actions} mustBeDismissed>
      <p>{words.issuedLead}</p>
      <div class="code-box">
        <code class="issued-key">{issued.key}</code>
        <div class="actions">
          <CopyButton text={issued.key} label={words.copyKey} />
        </div>
      </div>
      <h3>{words.issuedUse}</h3>
      <CodeBox code={command} label={words.copyCommand} />
    </Dialog>
  );
};

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
