import { useSignal } from "@preact/signals";
import { Progress } from "../../../components/progress.tsx";
import { toast } from "../../../components/toasts.tsx";
import { documentWords } from "../document-words.ts";
import { batchDocuments, isSending, uploads } from "./adding-state.ts";
import { addingStrings as texts } from "./strings.ts";
import { UploadList } from "./upload-list.tsx";
import type { Upload } from "./upload-queue.ts";

/** What is under way at this moment, in words: the file that is read, else the one that is sent. */
const nowWords = (all: readonly Upload<unknown>[]): string | null => {
  const [reading] = [...batchDocuments.value.values()].filter(({ status }) => status === "processing");
  if (reading !== undefined) return `${reading.name}, ${documentWords({ ...reading, error: null, warnings: [] }).text}`;
  const sending = all.find(({ state }) => state === "sending");
  return sending === undefined ? null : texts.sendingNow(sending.name, Math.round(sending.share * 100));
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
            <span class="now quiet" dir="auto">
              {uploads.pausedBy.value === null ? nowWords(all) : texts.waits}
            </span>
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
