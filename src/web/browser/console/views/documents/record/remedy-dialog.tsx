import { Dialog } from "../../../components/dialog.tsx";
import { withCode } from "../../../components/facts.tsx";
import { mayWrite } from "../../../state/session.ts";
import { failureOf } from "./document-words.ts";
import { recordStrings as texts } from "./strings.ts";

interface RemedyDialogProps {
  name: string;
  /** What the server said. */
  error: string;
  onRetry(): void;
  /** Left out: it cannot be deleted. */
  onDelete?: () => void;
  onClose(): void;
}

/** Why a document failed, in the server's words, and the way out. */
export const RemedyDialog = ({ name, error, onRetry, onDelete, onClose }: RemedyDialogProps) => {
  const act = (run: () => void) => () => {
    onClose();
    run();
  };
  const actions = mayWrite() ? (
    <>
      {onDelete && (
        <button type="button" class="danger" onClick={act(onDelete)}>
          {texts.delete}
        </button>
      )}
      <button type="button" class="primary" autofocus onClick={act(onRetry)}>
        {texts.retry}
      </button>
    </>
  ) : undefined;
  return (
    <Dialog title={name} onClose={onClose} {...(actions === undefined ? {} : { actions })}>
      <section>
        <h3>{texts.whatHappened}</h3>
        <p class="said" dir="auto">
          {error}
        </p>
      </section>
      <section>
        <h3>{texts.whatToDo}</h3>
        {failureOf(error).remedy.map((step) => (
          <p key={step}>{withCode(step)}</p>
        ))}
      </section>
    </Dialog>
  );
};
