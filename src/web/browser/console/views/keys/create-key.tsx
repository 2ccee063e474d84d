import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { IssuedKey, Key, KeyRequest, Partition } from "../../../shared/api.ts";
import { writeTo } from "../../../shared/controls.tsx";
import { serverAddress } from "../../../shared/prefix.ts";
import { CodeBox, CopyButton } from "../../components/copy-button.tsx";
import { Dialog, maxNameCharacters, SubmitActions } from "../../components/dialog.tsx";
import { FailureNote } from "../../components/notes.tsx";
import { RoleRights } from "../../components/rights.tsx";
import { SelectField, TextField } from "../../components/text-field.tsx";
import { useRun } from "../../state/loaded.ts";
import { client, session } from "../../state/session.ts";
import { keysStrings as words } from "./strings.ts";

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
export const CreateKey = ({ partitions, onClose, onIssued }: CreateKeyProps) => {
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
export const IssuedKeyDialog = ({ issued, onClose }: { issued: IssuedKey; onClose(): void }) => {
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
