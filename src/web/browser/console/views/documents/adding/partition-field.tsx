import { useSignal } from "@preact/signals";
import { usePartitions } from "../../../state/partitions.ts";
import { session } from "../../../state/session.ts";
import { addingPlace } from "./adding-state.ts";
import { addingStrings as texts } from "./strings.ts";

const fresh = "new";
const maxNameCharacters = 255;

/**
 * Chooses the partition that documents go to, or names a new one. Fields of its form: `partitionId`, `partition`. A key
 * that is limited to a partition has no choice.
 */
export const PartitionField = () => {
  const partitions = usePartitions();
  const chosen = useSignal(addingPlace.peek()?.id ?? "");
  if (session.value?.partitionId !== null) return null;
  return (
    <>
      <label class="field">
        {texts.partition}
        <select
          name="partitionId"
          value={chosen.value}
          onChange={(event) => (chosen.value = event.currentTarget.value)}
        >
          <option value="">{texts.noPartition}</option>
          {partitions.map(({ id, name }) => (
            <option key={id} value={id} dir="auto">
              {name}
            </option>
          ))}
          <option value={fresh}>{texts.newPartition}</option>
        </select>
      </label>
      {chosen.value === fresh && (
        <label class="field">
          {texts.newPartitionName}
          <input name="partition" required autofocus dir="auto" maxLength={maxNameCharacters} autocomplete="off" />
        </label>
      )}
    </>
  );
};

/** What was chosen, as the API takes it. */
export const partitionIn = (form: FormData): { partitionId?: string; partition?: string } => {
  const id = form.get("partitionId");
  if (id === fresh) return { partition: String(form.get("partition")).trim() };
  return typeof id === "string" && id !== "" ? { partitionId: id } : {};
};
