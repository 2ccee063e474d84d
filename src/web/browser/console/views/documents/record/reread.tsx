import { useRef } from "preact/hooks";
import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { client } from "../../../state/session.ts";
import { rereadDocuments } from "./document-actions.ts";
import { countSources } from "./reread-source.ts";
import { rereadStrings as texts } from "./strings.ts";

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
      title={isOne ? texts.titleOne : texts.title(chosen.length)}
      onClose={onClose}
      actions={
        readable > 0 ? (
          <>
            <button type="button" onClick={onClose}>
              {texts.cancel}
            </button>
            <button type="button" class="primary" autofocus onClick={start}>
              {isOne ? texts.start : texts.startMany(readable)}
            </button>
          </>
        ) : (
          <button type="button" class="primary" autofocus onClick={onClose}>
            {texts.close}
          </button>
        )
      }
    >
      <ul class="reread">
        {counts.file > 0 && <li>{isOne ? texts.file : texts.files(counts.file)}</li>}
        {counts.address > 0 && <li>{isOne ? texts.address : texts.addresses(counts.address)}</li>}
        {counts.text > 0 && <li>{isOne ? texts.text : texts.texts(counts.text)}</li>}
        {counts.failed > 0 && <li>{isOne ? texts.failed : texts.failedMany(counts.failed)}</li>}
        {counts.running > 0 && <li>{isOne ? texts.running : texts.runningMany(counts.running)}</li>}
      </ul>
      {readable > 0 && (
        <p class="quiet">
          {texts.note}
          {counts.file + counts.address > 0 && ` ${texts.replaced}`}
        </p>
      )}
    </Dialog>
  );
};
