import { signal } from "@preact/signals";
import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { type Client, RequestFailure } from "../../client.ts";
import { sendUnlessUndone, toast } from "../../components/toasts.tsx";
import { hideDocuments, showDocuments } from "./hidden-documents.ts";
import { isReadable } from "./reread/reread-source.ts";
import { type Failed, runEach } from "./run-each.ts";
import { documentsStrings as texts } from "./strings.ts";

/** Grows with every change that was made here: lists load again. */
export const documentsChanged = signal(0);

export const noteChange = (): void => {
  documentsChanged.value += 1;
};

type Named = Pick<DocumentRecord, "id" | "name">;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const tellOf = <T>(failed: readonly Failed<T>[], all: number, done: (number: number) => string): void => {
  noteChange();
  const [first] = failed;
  if (first === undefined) toast(done(all));
  else toast(texts.notAll(failed.length, all, messageOf(first.error)), "failed");
};

const path = (id: string, action = ""): string => `/api/document/${encodeURIComponent(id)}${action}`;

/** Deletes after ten seconds, in which "Undo" brings them back. */
export const deleteDocuments = (client: Client, documents: readonly Named[]): void => {
  const ids = documents.map(({ id }) => id);
  const [first] = documents;
  if (first === undefined) return;
  hideDocuments(ids);
  sendUnlessUndone({
    text: documents.length === 1 ? texts.deletedOne(first.name) : texts.deleted(documents.length),
    async send() {
      const failed = await runEach(ids, async (id) => {
        await client.send("DELETE", path(id)).catch((error: unknown) => {
          // What is gone is what was wanted.
          if (!(error instanceof RequestFailure && error.status === 404)) throw error;
        });
      });
      noteChange();
      const [failure] = failed;
      if (failure === undefined) return;
      showDocuments(failed.map(({ item }) => item));
      toast(texts.notAll(failed.length, ids.length, messageOf(failure.error)), "failed");
    },
    takeBack: () => showDocuments(ids),
  });
};

/** Has the failed ones among these read again. */
export const retryDocuments = async (client: Client, documents: readonly DocumentRecord[]): Promise<void> => {
  const failed = documents.filter(({ status }) => status === "failed");
  if (failed.length === 0) return toast(texts.nothingToRetry);
  tellOf(await runEach(failed, ({ id }) => client.send("POST", path(id, "/retry"))), failed.length, texts.retried);
};

/** Has those read again that are not being read already. */
export const rereadDocuments = async (client: Client, documents: readonly DocumentRecord[]): Promise<void> => {
  const readable = documents.filter(isReadable);
  tellOf(await runEach(readable, ({ id }) => client.send("POST", path(id, "/reread"))), readable.length, texts.retried);
};

/** @param partitionId null: out of its partition */
export const moveDocuments = async (
  client: Client,
  documents: readonly DocumentRecord[],
  partitionId: string | null,
): Promise<void> => {
  const failed = await runEach(documents, ({ id }) => client.send("PUT", path(id), { partitionId }));
  tellOf(failed, documents.length, texts.moved);
};

/** Ends the waiting of a document that is not read yet. */
export const cancelDocument = async (client: Client, { id }: Named): Promise<void> => {
  try {
    await client.send("POST", path(id, "/cancel"));
  } catch (error) {
    toast(messageOf(error), "failed");
  }
  noteChange();
};
