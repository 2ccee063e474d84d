import { useSignal } from "@preact/signals";
import { Progress } from "../../../components/progress.tsx";
import { toast } from "../../../components/toasts.tsx";
import { documentWords } from "../document-words.ts";
import { batchDocuments, isSending, uploads } from "./adding-state.ts";
import { addingStrings as texts } from "./strings.ts";
import { UploadList } from "./upload-list.tsx";
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
