import { useSignal } from "@preact/signals";
import { X } from "lucide";
import { messageOf } from "../../../../../../domain/thrown.ts";
import { Icon } from "../../../components/icon.tsx";
import { StateWord } from "../../../components/state-word.tsx";
import { toast } from "../../../components/toasts.tsx";
import { client } from "../../../state/session.ts";
import { documentLink } from "../../document/document-link.ts";
import { documentWords, failureOf } from "../document-words.ts";
import { RemedyDialog } from "../remedy-dialog.tsx";
import { documentsStrings } from "../strings.ts";
import { batchDocuments, uploads as queue } from "./adding-state.ts";
import type { FileToSend } from "./send-file.ts";
import { addingStrings as texts } from "./strings.ts";
import type { Upload } from "./upload-queue.ts";

/** Rows that are shown; the others are counted. */
const maxRows = 50;

type FileUpload = Upload<FileToSend | null>;

const retry = async (upload: FileUpload): Promise<void> => {
  if (upload.documentId === null) return queue.resend(upload);
  try {
    await client.send("POST", `/api/document/${upload.documentId}/retry`);
    queue.settle(upload, "sent", null);
  } catch (error) {
    toast(messageOf(error), "failed");
  }
};

const stateWords = ({ state, share, documentId }: FileUpload): string => {
  const document = documentId === null ? undefined : batchDocuments.value.get(documentId);
  if (document !== undefined) return documentWords({ ...document, error: null, warnings: [] }).text;
  if (state === "sending") return texts.percentSent(Math.round(share * 100));
  return state === "waiting" ? texts.states.waiting : texts.states.sent;
};

/** Why a file failed: in the server's words where it did not take it, else in few, with the way out behind "How". */
const Failure = ({ upload, onExplain }: { upload: FileUpload; onExplain(): void }) => (
  <>
    <span class="why" dir="auto" title={upload.error ?? ""}>
      <StateWord mood="bad">{upload.documentId === null ? upload.error : failureOf(upload.error ?? "").text}</StateWord>
    </span>
    <span class="row-actions">
      <button type="button" class="quiet" aria-label={`${documentsStrings.how}: ${upload.name}`} onClick={onExplain}>
        {documentsStrings.how}
      </button>
      <button type="button" class="quiet" aria-label={`${texts.retry}: ${upload.name}`} onClick={() => retry(upload)}>
        {texts.retry}
      </button>
      <button
        type="button"
        class="icon-only"
        aria-label={`${texts.forget}: ${upload.name}`}
        onClick={() => queue.remove(upload)}
      >
        <Icon icon={X} />
      </button>
    </span>
  </>
);

/** Files of the batch, each with how it is; a failed one with its reason and what to do. */
export const UploadList = ({ title, uploads }: { title: string; uploads: readonly FileUpload[] }) => {
  const explained = useSignal<FileUpload | null>(null);
  const shown = explained.value;
  return (
    <section class="upload-list" aria-label={title}>
      <ul>
        {uploads.slice(0, maxRows).map((upload) => (
          <li key={upload.id}>
            <span class="name" dir="auto" title={upload.name}>
              {upload.documentId === null ? upload.name : <a href={documentLink(upload.documentId)}>{upload.name}</a>}
            </span>
            {upload.state === "failed" ? (
              <Failure upload={upload} onExplain={() => (explained.value = upload)} />
            ) : (
              <StateWord mood="wait">{stateWords(upload)}</StateWord>
            )}
          </li>
        ))}
      </ul>
      {uploads.length > maxRows && <p class="quiet">{texts.more(uploads.length - maxRows)}</p>}
      {shown !== null && (
        <RemedyDialog
          name={shown.name}
          error={shown.error ?? ""}
          onRetry={() => retry(shown)}
          onClose={() => (explained.value = null)}
        />
      )}
    </section>
  );
};
