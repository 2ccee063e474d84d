import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { client, mayWrite } from "../../state/session.ts";
import { deleteDocuments, retryDocuments } from "./document-actions.ts";
import { failureOf } from "./document-words.ts";
import { documentsStrings as texts } from "./strings.ts";

/** Code in a text stands between backquotes. */
const withCode = (text: string) =>
  text.split("`").map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part));

/** Why a document failed, in the server's words, and the way out. */
export const RemedyDialog = ({ document: failed, onClose }: { document: DocumentRecord; onClose(): void }) => {
  const act = (run: () => unknown) => () => {
    onClose();
    void run();
  };
  const actions = mayWrite() && (
    <>
      <button type="button" class="danger" onClick={act(() => deleteDocuments(client, [failed]))}>
        {texts.delete}
      </button>
      <button type="button" class="primary" autofocus onClick={act(() => retryDocuments(client, [failed]))}>
        {texts.retry}
      </button>
    </>
  );
  return (
    <Dialog title={failed.name} onClose={onClose} actions={actions || undefined}>
      <section>
        <h3>{texts.whatHappened}</h3>
        <p class="said" dir="auto">
          {failed.error}
        </p>
      </section>
      <section>
        <h3>{texts.whatToDo}</h3>
        {failureOf(failed.error ?? "").remedy.map((step) => (
          <p key={step}>{withCode(step)}</p>
        ))}
      </section>
    </Dialog>
  );
};
