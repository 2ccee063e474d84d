import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Partition } from "../../../shared/api.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { NameDialog } from "../../components/name-dialog.tsx";
import { toast } from "../../components/toasts.tsx";
import { client } from "../../state/session.ts";
import { partitionsStrings as words } from "./strings.ts";

interface DialogProps {
  onClose(): void;
  /** Something changed: the list is loaded again. */
  onChange(): void;
}

export const CreatePartition = ({ onClose, onChange }: DialogProps) => (
  <NameDialog
    title={words.create}
    label={words.name}
    hint={words.hint}
    submit={words.createSubmit}
    onClose={onClose}
    run={async (name) => {
      await client.send<Partition>("POST", "/api/partition", { name });
      toast(words.createdNote(name));
      onChange();
    }}
  />
);

export const RenamePartition = ({ partition, onClose, onChange }: DialogProps & { partition: Partition }) => (
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
export const DeletePartition = ({ partition, onClose, onChange }: DialogProps & { partition: Partition }) => {
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
