import { frameStrings as words } from "../frame/strings.ts";

interface SubmitActionsProps {
  /** Id of the form. */
  form: string;
  /** The verb: "Create". */
  submit: string;
  isRunning?: boolean;
  /** Whether the form is complete as it is shown: then its button has the focus. */
  isFocused?: boolean;
  onClose(): void;
}

/** The foot of a dialog that is a form: Cancel, and the button that sends it. */
export const SubmitActions = ({ form, submit, isRunning = false, isFocused = false, onClose }: SubmitActionsProps) => (
  <>
    <button type="button" onClick={onClose}>
      {words.cancel}
    </button>
    <button type="submit" form={form} class="primary" autofocus={isFocused} disabled={isRunning}>
      {submit}
    </button>
  </>
);
