import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Chat } from "../../../shared/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { FailureNote } from "../../components/failure-note.tsx";
import { SubmitActions } from "../../components/submit-actions.tsx";
import { client } from "../../state/session.ts";
import { useRun } from "../../state/use-run.ts";
import { ScopePicker } from "../ask/components/scope-picker.tsx";
import { everything, scopeFields } from "../ask/state/scope.ts";
import { chatsStrings as words } from "./strings.ts";

const maxNameLength = 255;

/** A new chat: its name, and what it is about. */
export const CreateChat = ({ onClose, onCreated }: { onClose(): void; onCreated(chat: Chat): void }) => {
  const id = useId();
  const name = useSignal("");
  const scope = useSignal(everything);
  const { failure, isRunning, run } = useRun();
  const create = (event: Event): void => {
    event.preventDefault();
    void run(async () => {
      const named = name.value.trim() === "" ? {} : { name: name.value.trim() };
      onCreated(await client.send<Chat>("POST", "/api/chat", { ...named, ...scopeFields(scope.value) }));
      onClose();
    });
  };
  const actions = <SubmitActions form={id} submit={words.createSubmit} isRunning={isRunning.value} onClose={onClose} />;
  return (
    <Dialog title={words.createTitle} onClose={onClose} actions={actions}>
      <form id={id} class="form" onSubmit={create}>
        <label class="field">
          {words.name}
          <input
            dir="auto"
            autocomplete="off"
            autofocus
            maxLength={maxNameLength}
            value={name.value}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
          <span class="hint">{words.nameHint}</span>
        </label>
        <section class="chat-scope" aria-label={words.over}>
          <h3>{words.over}</h3>
          <ScopePicker
            scope={scope.value}
            hasMetadata={false}
            onChange={(chosen) => {
              scope.value = chosen;
            }}
          />
        </section>
        <FailureNote error={failure.value} />
      </form>
    </Dialog>
  );
};
