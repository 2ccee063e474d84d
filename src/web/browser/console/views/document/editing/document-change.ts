import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { offerUndo, toast } from "../../../components/toasts.tsx";
import { client } from "../../../state/session.ts";
import { noteChange } from "../../documents/document-actions.ts";
import { documentStrings } from "../strings.ts";
import { documentPath } from "../use-document.ts";

export type Details = Pick<DocumentRecord, "name" | "partitionId" | "metadata">;

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The fields that differ from what was shown: what somebody else changed meanwhile in the others stays. */
export const changeOf = (before: Details, after: Details): Partial<Details> => ({
  ...(after.name === before.name ? {} : { name: after.name }),
  ...(after.partitionId === before.partitionId ? {} : { partitionId: after.partitionId }),
  ...(sameJson(after.metadata, before.metadata) ? {} : { metadata: after.metadata }),
});

/** Puts the fields of a change back as they were. */
const undoOf = (before: Details, change: Partial<Details>): Partial<Details> => ({
  ...("name" in change ? { name: before.name } : {}),
  ...("partitionId" in change ? { partitionId: before.partitionId } : {}),
  ...("metadata" in change ? { metadata: before.metadata } : {}),
});

/** Sends a change; for ten seconds "Undo" puts back what was there. @throws RequestFailure, Unreachable */
export const saveDetails = async (document: DocumentRecord, change: Partial<Details>): Promise<void> => {
  if (Object.keys(change).length === 0) return;
  await client.send("PUT", documentPath(document.id), change);
  noteChange();
  offerUndo(documentStrings.editing.saved, async () => {
    await client.send("PUT", documentPath(document.id), undoOf(document, change));
    noteChange();
    toast(documentStrings.editing.takenBack);
  });
};
