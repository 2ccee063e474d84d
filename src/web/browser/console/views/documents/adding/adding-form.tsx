import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Dialog } from "../../../components/dialog.tsx";
import { FailureNote } from "../../../components/failure-note.tsx";
import { SubmitActions } from "../../../components/submit-actions.tsx";
import { PartitionField, partitionIn } from "./partition-field.tsx";
import { addingStrings as texts } from "./strings.ts";

interface AddingFormProps {
  title: string;
  /** What is done while it takes: "Looking for the sitemap …". */
  waiting?: string;
  /** Adds what the form holds; a failure is shown, and the form stays. @param place the partition */
  add(form: FormData, place: ReturnType<typeof partitionIn>, signal: AbortSignal): Promise<unknown>;
  onClose(): void;
  /** Nothing has to be filled in: Enter adds. */
  isComplete?: boolean;
  children?: ComponentChildren;
}

/** A dialog that adds documents to a partition. */
export const AddingForm = ({ title, waiting, add, onClose, isComplete = false, children }: AddingFormProps) => {
  const form = useId();
  const failure = useSignal<unknown>(null);
  const running = useSignal<AbortController | null>(null);
  const close = () => {
    running.value?.abort();
    onClose();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (running.value !== null) return;
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const stop = new AbortController();
    running.value = stop;
    failure.value = null;
    try {
      await add(given, partitionIn(given), stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) failure.value = error;
    } finally {
      running.value = null;
    }
  };
  const actions = (
    <SubmitActions
      form={form}
      submit={texts.addIt}
      isRunning={running.value !== null}
      isFocused={isComplete}
      onClose={close}
    />
  );
  return (
    <Dialog title={title} onClose={close} actions={actions}>
      <form id={form} class="form" onSubmit={submit}>
        {children}
        <PartitionField />
        {running.value !== null && waiting !== undefined && (
          <p class="quiet" role="status">
            {waiting}
          </p>
        )}
        <FailureNote error={failure.value} />
      </form>
    </Dialog>
  );
};
