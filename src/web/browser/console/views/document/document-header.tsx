import { useSignal } from "@preact/signals";
import { Download, Pencil, RotateCw, Tags, Trash2 } from "lucide";
import { useLocation } from "preact-iso";
import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { at } from "../../../shared/prefix.ts";
import { NameDialog } from "../../components/dialog.tsx";
import { StateWord } from "../../components/facts.tsx";
import { BackLink } from "../../components/lists.tsx";
import { MoreMenu } from "../../components/menu.tsx";
import { ViewHeader } from "../../components/view-header.tsx";
import { client, mayWrite } from "../../state/session.ts";
import { deleteDocuments, noteChange, retryDocuments } from "../documents/record/document-actions.ts";
import { RemedyDialog, RereadDialog } from "../documents/record/document-dialogs.tsx";
import { documentWords, originalKind } from "../documents/record/document-words.ts";
import { recordStrings, rereadStrings } from "../documents/record/strings.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { documentStrings as texts } from "./strings.ts";
import { documentPath } from "./use-document.ts";

/** Name and state of a document, and what can be done with it. */
export const DocumentHeader = ({ document: shown, page }: { document: DocumentRecord; page: number | null }) => {
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
