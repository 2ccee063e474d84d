import { useSignal } from "@preact/signals";
import { X } from "lucide";
import { messageOf } from "../../../../../../domain/errors.ts";
import { IconButton } from "../../../../shared/controls.tsx";
import { Progress, StateWord } from "../../../components/facts.tsx";
import { toast } from "../../../state/messages.ts";
import { client } from "../../../state/session.ts";
import { RemedyDialog } from "../record/document-dialogs.tsx";
import { documentLink, documentWords, failureOf } from "../record/document-words.ts";
import { recordStrings } from "../record/strings.ts";
import { batchDocuments, isSending, uploads as queue, uploads } from "./adding-state.ts";
import type { FileToSend } from "./send-file.ts";
import { addingStrings as texts } from "./strings.ts";
import type { Upload } from "./upload-queue.ts";

/** What is under way at this moment: the file that is read, else the one that is sent, and how far it is. */
const underWay = (all: readonly Upload<unknown>[]): { name: string; far: string } | null => {
  const processed = [...batchDocuments.value.values()].filter(({ status }) => status === "processing");
  const document = processed.find(({ reading }) => reading !== null) ?? processed[0];
  if (document !== undefined) {
    const { name, reading } = document;
    const far =
      reading === null
        ? documentWords({ ...document, error: null, warnings: [] }).text
        : texts.pageNow(reading.page, reading.pages);
    return { name, far };
  }
  const sending = all.find(({ state }) => state === "sending");
  return sending === undefined ? null : { name: sending.name, far: texts.percentSent(Math.round(sending.share * 100)) };
};

/** A long name is cut; how far it is stays in sight. */
const Now = ({ all }: { all: readonly Upload<unknown>[] }) => {
  if (uploads.pausedBy.value !== null)
    return (
      <span class="now quiet">
        <span>{texts.waits}</span>
      </span>
    );
  const now = underWay(all);
  return (
    <span class="now quiet">
      {now !== null && (
        <>
          <bdi>{now.name}</bdi>, {now.far}
        </>
      )}
    </span>
  );
};

/** How adding goes: over all in a line, each file where one asks, and every failure with its reason and way out. */
export const UploadStrip = () => {
  const isOpen = useSignal(false);
  const all = uploads.changed.value >= 0 ? uploads.uploads : [];
  if (all.length === 0) return null;
  const ready = all.filter(({ state }) => state === "ready").length;
  const failed = all.filter(({ state }) => state === "failed");
  const isDone = ready + failed.length === all.length;
  const stop = () => toast(texts.cancelled(uploads.stop()));
  return (
    <section class="upload-strip" aria-label={texts.progress}>
      <div class="line">
        {isDone ? (
          <span>{texts.ready(ready, failed.length)}</span>
        ) : (
          <>
            <Progress label={texts.progress} value={ready + failed.length} max={all.length}>
              {texts.read(ready + failed.length, all.length)}
            </Progress>
            <Now all={all} />
          </>
        )}
        <span class="actions">
          {!isDone && (
            <button
              type="button"
              class="quiet"
              aria-expanded={isOpen.value}
              onClick={() => (isOpen.value = !isOpen.value)}
            >
              {isOpen.value ? texts.hide : texts.showAll}
            </button>
          )}
          {isSending.value && (
            <button type="button" class="quiet" onClick={stop}>
              {texts.stop}
            </button>
          )}
          {isDone && (
            <button type="button" class="quiet" onClick={() => uploads.clear()}>
              {texts.dismiss}
            </button>
          )}
        </span>
      </div>
      <p class="unseen" role="status">
        {isDone ? texts.ready(ready, failed.length) : ""}
      </p>
      {failed.length > 0 && <UploadList title={texts.failed} uploads={failed} />}
      {isOpen.value && !isDone && (
        <UploadList title={texts.inWork} uploads={all.filter(({ state }) => state !== "ready" && state !== "failed")} />
      )}
    </section>
  );
};

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
      <button type="button" class="quiet" aria-label={`${recordStrings.how}: ${upload.name}`} onClick={onExplain}>
        {recordStrings.how}
      </button>
      <button type="button" class="quiet" aria-label={`${texts.retry}: ${upload.name}`} onClick={() => retry(upload)}>
        {texts.retry}
      </button>
      <IconButton icon={X} label={`${texts.forget}: ${upload.name}`} onClick={() => queue.remove(upload)} />
    </span>
  </>
);

/** Files of the batch, each with how it is; a failed one with its reason and what to do. */
const UploadList = ({ title, uploads }: { title: string; uploads: readonly FileUpload[] }) => {
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
