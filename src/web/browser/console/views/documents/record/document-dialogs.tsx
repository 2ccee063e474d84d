import { useRef } from "preact/hooks";
import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { withCode } from "../../../components/facts.tsx";
import { client, mayWrite } from "../../../state/session.ts";
import { rereadDocuments } from "./document-actions.ts";
import { countSources, failureOf } from "./document-words.ts";
import { rereadStrings, recordStrings as texts } from "./strings.ts";

interface RereadDialogProps {
  documents: readonly DocumentRecord[];
  onClose(): void;
}

/** Says what each document is read from, before they are read again. */
export const RereadDialog = ({ documents, onClose }: RereadDialogProps) => {
  // What is chosen when it opens: lists load anew under it.
  const { current: chosen } = useRef(documents);
  const counts = countSources(chosen);
  const readable = chosen.length - counts.running;
  const isOne = chosen.length === 1;
  const start = () => {
    onClose();
    void rereadDocuments(client, chosen);
  };
  return (
    <Dialog
      title={isOne ? rereadStrings.titleOne : rereadStrings.title(chosen.length)}
      onClose={onClose}
      actions={
        readable > 0 ? (
          <>
            <button type="button" onClick={onClose}>
              {rereadStrings.cancel}
            </button>
            <button type="button" class="primary" autofocus onClick={start}>
              {isOne ? rereadStrings.start : rereadStrings.startMany(readable)}
            </button>
          </>
        ) : (
          <button type="button" class="primary" autofocus onClick={onClose}>
            {rereadStrings.close}
          </button>
        )
      }
    >
      <ul class="reread">
        {counts.file > 0 && <li>{isOne ? rereadStrings.file : rereadStrings.files(counts.file)}</li>}
        {counts.address > 0 && <li>{isOne ? rereadStrings.address : rereadStrings.addresses(counts.address)}</li>}
        {counts.text > 0 && <li>{isOne ? rereadStrings.text : rereadStrings.texts(counts.text)}</li>}
        {counts.failed > 0 && <li>{isOne ? rereadStrings.failed : rereadStrings.failedMany(counts.failed)}</li>}
        {counts.running > 0 && <li>{isOne ? rereadStrings.running : rereadStrings.runningMany(counts.running)}</li>}
      </ul>
      {readable > 0 && (
        <p class="quiet">
          {rereadStrings.note}
          {counts.file + counts.address > 0 && ` ${rereadStrings.replaced}`}
        </p>
      )}
    </Dialog>
  );
};

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
