import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { client, mayWrite } from "../../state/session.ts";
import { documentLink } from "../document/document-link.ts";
import { cancelDocument, retryDocuments } from "./document-actions.ts";
import { documentWords } from "./document-words.ts";
import { documentsStrings as texts } from "./strings.ts";

interface DocumentRowProps {
  document: DocumentRecord;
  partition: string | null;
  isSelected: boolean;
  /** @param isRange from the row that was chosen last to this one */
  onSelect(isSelected: boolean, isRange: boolean): void;
  onExplain(): void;
}

/** A document in the list: what it is, how it is, and what can be done about that. */
export const DocumentRow = ({ document: shown, partition, isSelected, onSelect, onExplain }: DocumentRowProps) => {
  const { mood, text } = documentWords(shown);
  const { id, name, status, error } = shown;
  const pages = shown.reading?.pages ?? shown.progress.pages;
  const tokens = shown.tokens ?? 0;
  return (
    <tr class={isSelected ? "selected" : ""} data-id={id}>
      {mayWrite() && (
        <td class="select">
          <input
            type="checkbox"
            aria-label={texts.select(name)}
            checked={isSelected}
            onClick={(event) => onSelect(event.currentTarget.checked, event.shiftKey)}
          />
        </td>
      )}
      <th scope="row" class="name">
        <a href={documentLink(id)} dir="auto" title={name}>
          {name}
        </a>
      </th>
      <td class="partition quiet" dir="auto">
        {partition ?? texts.none}
      </td>
      <td class="short size quiet" title={tokens > 0 ? texts.tokens(tokens) : undefined}>
        {pages > 0 ? texts.pagesOf(pages) : tokens > 0 ? texts.tokensShort(tokens) : texts.none}
      </td>
      <td class="time quiet">
        <RelativeTime at={shown.createdAt} />
      </td>
      <td class="state">
        <span class="state-and-actions">
          <StateWord mood={mood}>{text}</StateWord>
          {status === "failed" && (
            <>
              {error !== "cancelled" && (
                <button type="button" class="quiet" aria-label={`${texts.how}: ${name}`} onClick={onExplain}>
                  {texts.how}
                </button>
              )}
              {mayWrite() && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={`${texts.retry}: ${name}`}
                  onClick={() => retryDocuments(client, [shown])}
                >
                  {texts.retry}
                </button>
              )}
            </>
          )}
          {status === "pending" && mayWrite() && (
            <button
              type="button"
              class="quiet"
              aria-label={`${texts.cancel}: ${name}`}
              onClick={() => cancelDocument(client, shown)}
            >
              {texts.cancel}
            </button>
          )}
        </span>
      </td>
    </tr>
  );
};
