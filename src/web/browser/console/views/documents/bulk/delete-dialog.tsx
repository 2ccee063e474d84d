import { useRef } from "preact/hooks";
import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { client } from "../../../state/session.ts";
import { deleteDocuments } from "../document-actions.ts";
import { documentsStrings as texts } from "../strings.ts";

interface DeleteDialogProps {
  documents: readonly DocumentRecord[];
  onDone(): void;
  onClose(): void;
}

/** Asks before more documents are deleted than can be seen at once. */
export const DeleteDialog = ({ documents, onDone, onClose }: DeleteDialogProps) => {
  // What is chosen when it opens: lists load anew under it.
  const { current: chosen } = useRef(documents);
  const run = async (): Promise<void> => {
    onDone();
    deleteDocuments(client, chosen);
  };
  return (
    <ConfirmDialog title={texts.deleteMany(chosen.length)} action={texts.delete} run={run} onClose={onClose}>
      <p>{texts.deleteManyText}</p>
    </ConfirmDialog>
  );
};
