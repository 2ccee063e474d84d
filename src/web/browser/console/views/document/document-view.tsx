import { useSignal } from "@preact/signals";
import { Download, Pencil, RotateCw, Tags, Trash2 } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { at } from "../../../shared/prefix.ts";
import { NameDialog } from "../../components/dialog.tsx";
import { StateWord } from "../../components/facts.tsx";
import { BackLink } from "../../components/lists.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { EmptyNote, FailureNote, Loading } from "../../components/notes.tsx";
import { Tabs, ViewHeader } from "../../components/view-header.tsx";
import { RequestFailure } from "../../state/client.ts";
import { client, mayWrite } from "../../state/session.ts";
import { deleteDocuments, noteChange, retryDocuments } from "../documents/record/document-actions.ts";
import { RemedyDialog, RereadDialog } from "../documents/record/document-dialogs.tsx";
import { documentWords, originalKind } from "../documents/record/document-words.ts";
import { recordStrings, rereadStrings } from "../documents/record/strings.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { OriginalPane } from "./original-pane.tsx";
import { useCurrentPage, useShownOnce, useWantedPassage } from "./shown-page.ts";
import { DetailsPane, SnippetsPane } from "./side-panes.tsx";
import { documentStrings as texts } from "./strings.ts";
import { TextPane } from "./text-pane.tsx";
import { documentPath, useDocument, type WholeDocument } from "./use-document.ts";

/** A document: its text beside its original, how it was cut, and what is known of it. */
export const DocumentView = () => {
  const { params } = useRoute();
  const id = params.id ?? "";
  const { value, error, reload } = useDocument(id);
  if (error instanceof RequestFailure && error.status === 404)
    return (
      <>
        <ViewHeader title={texts.title} />
        <EmptyNote title={texts.gone}>
          <p>{texts.goneText}</p>
          <a class="button" href="/documents">
            {texts.back}
          </a>
        </EmptyNote>
      </>
    );
  if (value === undefined || value.document.id !== id)
    return (
      <>
        <ViewHeader title={texts.title} />
        {error === null ? <Loading /> : <FailureNote error={error} />}
      </>
    );
  return (
    <>
      <FailureNote error={error} onRetry={reload} />
      <DocumentPanes key={id} whole={value} />
    </>
  );
};

type Part = "text" | "original" | "snippets" | "details";

/** From here on there is room for two. */
const twoPanes = "(min-width: 1000px)";

/** Text and original side by side; one at a time, by tabs, where there is no room for both. */
const DocumentPanes = ({ whole }: { whole: WholeDocument }) => {
  const { document: shown, text, snippets } = whole;
  const kind = originalKind(shown);
  const isWide = useMedia(twoPanes) && (kind === "pdf" || kind === "picture");
  const [part, setPart] = useState<Part>("text");
  const left = useRef<HTMLElement>(null);
  const right = useRef<HTMLElement>(null);
  const { wanted, passage } = useWantedPassage(text, snippets);
  const showOnce = useShownOnce(wanted);
  // A passage is shown in the text, whatever was open.
  useEffect(() => {
    if (wanted.range !== null) setPart("text");
  }, [wanted]);
  const { pages } = shown.progress;
  const { page, onOriginalReady } = useCurrentPage({
    documentId: shown.id,
    pages,
    wanted,
    part,
    isWide,
    left,
    right,
  });

  const original = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={right} class="pane original-pane" tabIndex={0} aria-label={texts.original}>
      <OriginalPane
        document={shown}
        passagePage={wanted.page}
        passage={passage}
        onReady={onOriginalReady}
        onMarked={showOnce("original")}
      />
    </section>
  );
  const parts: readonly Part[] =
    isWide || kind === "none" ? ["text", "snippets", "details"] : ["text", "original", "snippets", "details"];
  const open = parts.includes(part) ? part : "text";
  return (
    <div class="document-view">
      <DocumentHeader document={shown} page={page} />
      <div class={`panes${isWide ? " two" : ""}`}>
        <div class="left">
          <Tabs<Part>
            label={texts.tabs}
            tabs={parts.map((id) => ({ id, label: texts[id] }))}
            selected={open}
            onSelect={setPart}
          >
            {open === "original" ? (
              original
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
              <section key={open} ref={left} class="pane" tabIndex={0} aria-label={texts[open]}>
                {open === "text" && <TextPane whole={whole} passage={wanted.range} onMarked={showOnce("text")} />}
                {open === "snippets" && <SnippetsPane whole={whole} onShow={() => setPart("text")} />}
                {open === "details" && <DetailsPane whole={whole} />}
              </section>
            )}
          </Tabs>
        </div>
        {isWide && original}
      </div>
      {shown.status === "processed" && <QuestionBox documentId={shown.id} />}
    </div>
  );
};

const maxCharacters = 8_000;

/** Asks this document only, in the view made for that. */
const QuestionBox = ({ documentId }: { documentId: string }) => {
  const { route } = useLocation();
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    const question = String(new FormData(event.currentTarget as HTMLFormElement).get("q")).trim();
    if (question !== "") route(`/ask?${new URLSearchParams({ document: documentId, q: question })}`);
  };
  return (
    <form class="question-box" onSubmit={ask}>
      <input
        name="q"
        dir="auto"
        aria-label={texts.ask}
        placeholder={texts.askPlaceholder}
        maxLength={maxCharacters}
        autocomplete="off"
      />
      <button type="submit" class="primary">
        {texts.askButton}
      </button>
    </form>
  );
};

/** Whether a media query holds. */
const useMedia = (query: string): boolean => {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const change = () => setHolds(list.matches);
    change();
    list.addEventListener("change", change);
    return () => list.removeEventListener("change", change);
  }, [query]);
  return holds;
};

/** Name and state of a document, and what can be done with it. */
const DocumentHeader = ({ document: shown, page }: { document: DocumentRecord; page: number | null }) => {
  const { route } = useLocation();
  const dialog = useSignal<"name" | "details" | "reread" | "remedy" | null>(null);
  const close = () => {
    dialog.value = null;
  };
  const { mood, text } = documentWords(shown);
  const { id, name, status, error, progress } = shown;
  const remove = () => {
    deleteDocuments(client, [shown]);
    route("/documents");
  };
  const kind = originalKind(shown);
  const download = () => {
    const link = document.createElement("a");
    link.href = at(documentPath(id, "/file"));
    link.download = name;
    link.click();
  };
  const items = [
    ...(mayWrite()
      ? [
          { label: texts.rename, icon: Pencil, run: () => (dialog.value = "name") },
          { label: texts.editing.open, icon: Tags, run: () => (dialog.value = "details") },
        ]
      : []),
    ...(kind === "none" || kind === "fetched" ? [] : [{ label: texts.download, icon: Download, run: download }]),
    ...(mayWrite() && status === "failed"
      ? [{ label: texts.retry, icon: RotateCw, run: () => void retryDocuments(client, [shown]) }]
      : []),
    ...(mayWrite() && status === "processed"
      ? [{ label: rereadStrings.open, icon: RotateCw, run: () => (dialog.value = "reread") }]
      : []),
    ...(mayWrite() ? [{ label: texts.delete, icon: Trash2, isDangerous: true, run: remove }] : []),
  ];
  return (
    <>
      <ViewHeader title={name}>
        <span class="document-state">
          {page !== null && progress.pages > 0 && <span class="quiet">{texts.pageOf(page, progress.pages)}</span>}
          <StateWord mood={mood}>{text}</StateWord>
          {status === "failed" && error !== "cancelled" && (
            <button type="button" class="quiet" onClick={() => (dialog.value = "remedy")}>
              {recordStrings.how}
            </button>
          )}
          {items.length > 0 && <MoreMenu label={texts.menu} items={items} />}
        </span>
      </ViewHeader>
      <BackLink class="back quiet" href="/documents">
        {texts.back}
      </BackLink>
      {dialog.value === "name" && (
        <NameDialog
          title={texts.renameTitle}
          label={texts.newName}
          submit={texts.save}
          initial={name}
          run={async (to) => {
            await client.send("PUT", documentPath(id), { name: to });
            noteChange();
          }}
          onClose={close}
        />
      )}
      {dialog.value === "details" && <EditDialog document={shown} onClose={close} />}
      {dialog.value === "reread" && <RereadDialog documents={[shown]} onClose={close} />}
      {dialog.value === "remedy" && (
        <RemedyDialog
          name={name}
          error={error ?? ""}
          onRetry={() => void retryDocuments(client, [shown])}
          onDelete={remove}
          onClose={close}
        />
      )}
    </>
  );
};
