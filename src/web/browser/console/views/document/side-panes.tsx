import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { DocumentSnippet, JsonValue } from "../../../shared/api.ts";
import { CopyButton, RelativeTime } from "../../components/facts.tsx";
import { usePartitions } from "../../state/partitions.ts";
import { mayWrite } from "../../state/session.ts";
import { documentLink } from "../documents/record/document-words.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { documentStrings as texts } from "./strings.ts";
import type { WholeDocument } from "./use-document.ts";

const Fields = ({ rows }: { rows: readonly [string, ComponentChildren][] }) => (
  <dl class="fields">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt dir="auto">{name}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    ))}
  </dl>
);

const valueWords = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

/** What is known of a document: its record, and the metadata that it came with. */
export const DetailsPane = ({ whole: { document: shown, snippetCount } }: { whole: WholeDocument }) => {
  const partitions = usePartitions();
  const isEditing = useSignal(false);
  const { fields, none } = texts;
  const partition = partitions.find(({ id }) => id === shown.partitionId)?.name;
  const metadata = Object.entries(shown.metadata ?? {});
  return (
    <div class="details-pane">
      <Fields
        rows={[
          [fields.type, shown.mimeType ?? none],
          [fields.partition, partition ?? none],
          [fields.pages, shown.progress.pages > 0 ? shown.progress.pages.toLocaleString() : none],
          [fields.tokens, shown.tokens?.toLocaleString() ?? none],
          [fields.passages, snippetCount.toLocaleString()],
          [fields.vectors, texts.vectors[shown.embedded ? "true" : "false"]],
          [fields.added, <RelativeTime key="added" at={shown.createdAt} />],
          [fields.changed, <RelativeTime key="changed" at={shown.updatedAt} />],
          [fields.addedBy, shown.addedByUserId],
          [
            fields.id,
            <span key="id" class="actions">
              <code>{shown.id}</code>
              <CopyButton text={shown.id} />
            </span>,
          ],
        ]}
      />
      <div class="actions">
        <h2>{texts.metadata}</h2>
        {mayWrite() && (
          <button type="button" onClick={() => (isEditing.value = true)}>
            {texts.editing.open}
          </button>
        )}
      </div>
      {metadata.length === 0 ? (
        <p class="quiet">{texts.noMetadata}</p>
      ) : (
        <Fields rows={metadata.map(([name, value]) => [name, valueWords(value)])} />
      )}
      {isEditing.value && <EditDialog document={shown} onClose={() => (isEditing.value = false)} />}
    </div>
  );
};

/** More would be slow to lay out; the text itself shows where one is. */
const maxShown = 500;

interface SnippetProps {
  id: string;
  number: number;
  snippet: DocumentSnippet;
  onShow(): void;
}

const Snippet = ({ id, number, snippet, onShow }: SnippetProps) => (
  <li class="card">
    <p class="quiet">
      {texts.snippet(number)}
      {snippet.page !== null && <> · {texts.page(snippet.page)}</>}
      {snippet.headings.length > 0 && <span dir="auto"> · {snippet.headings.join(" › ")}</span>}
    </p>
    <p class="snippet-text" dir="auto">
      {snippet.content}
    </p>
    <a href={documentLink(id, snippet)} onClick={onShow}>
      {texts.showInText}
      <span class="unseen">: {texts.snippet(number)}</span>
    </a>
  </li>
);

/** How the text was cut for search. */
export const SnippetsPane = ({ whole, onShow }: { whole: WholeDocument; onShow(): void }) => {
  const { snippets, snippetCount, document: shown } = whole;
  return (
    <div class="snippets-pane">
      <p>{texts.snippetsNote(snippetCount)}</p>
      <ol>
        {snippets.slice(0, maxShown).map((snippet, at) => (
          <Snippet key={snippet.id} id={shown.id} number={at + 1} snippet={snippet} onShow={onShow} />
        ))}
      </ol>
      {snippetCount > maxShown && <p class="quiet">{texts.snippetsCut(maxShown)}</p>}
    </div>
  );
};
