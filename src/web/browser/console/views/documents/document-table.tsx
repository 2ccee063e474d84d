import { useSignal } from "@preact/signals";
import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { Document as DocumentRecord, Partition } from "../../../shared/api.ts";
import { Icon } from "../../../shared/controls.tsx";
import { RelativeTime, StateWord } from "../../components/facts.tsx";
import { useCommands } from "../../state/commands.ts";
import { client, mayWrite } from "../../state/session.ts";
import { isByTime, type ListOrder, nextOrder, type OrderColumn, ordersOf } from "./list-query.ts";
import { cancelDocument, deleteDocuments, retryDocuments } from "./record/document-actions.ts";
import { RemedyDialog } from "./record/document-dialogs.tsx";
import { documentLink, documentWords } from "./record/document-words.ts";
import { recordStrings } from "./record/strings.ts";
import { documentsStrings as texts } from "./strings.ts";

interface DocumentTableProps {
  body: RefObject<HTMLTableSectionElement | null>;
  rows: readonly DocumentRecord[];
  partitions: readonly Partition[];
  order: ListOrder;
  /** Whether the list can be ordered otherwise than by time. */
  isFree: boolean;
  onOrder(order: ListOrder): void;
  selected: ReadonlyMap<string, DocumentRecord>;
  onSelect(documents: readonly DocumentRecord[], isSelected: boolean): void;
}

/** The documents of a page of the list. `j` and `k` move from name to name, `x` selects, Enter opens. */
export const DocumentTable = ({
  body,
  rows,
  partitions,
  order,
  isFree,
  onOrder,
  selected,
  onSelect,
}: DocumentTableProps) => {
  const explained = useSignal<DocumentRecord | null>(null);
  const lastChosen = useRef<string | null>(null);
  const names = new Map(partitions.map(({ id, name }) => [id, name]));

  const links = (): HTMLElement[] => [...(body.current?.querySelectorAll<HTMLElement>("th a") ?? [])];
  const here = (): number => links().findIndex((link) => link.closest("tr")?.contains(document.activeElement) === true);
  const move = (by: 1 | -1) => {
    const all = links();
    const at = here();
    const next = all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const select = (id: string, isSelected: boolean, isRange: boolean) => {
    const from = isRange ? rows.findIndex((row) => row.id === lastChosen.current) : -1;
    const to = rows.findIndex((row) => row.id === id);
    const range = rows.slice(from === -1 ? to : Math.min(from, to), Math.max(from, to) + 1);
    lastChosen.current = id;
    onSelect(range, isSelected);
  };
  const { commands } = texts;
  useCommands(
    () =>
      [
        { id: "documents.next", title: commands.nextRow, keys: "j", run: () => move(1) },
        { id: "documents.previous", title: commands.previousRow, keys: "k", run: () => move(-1) },
        ...(mayWrite()
          ? [
              {
                id: "documents.select",
                title: commands.selectRow,
                keys: "x",
                run() {
                  const id = links()[here()]?.closest("tr")?.dataset.id;
                  if (id !== undefined) select(id, !selected.has(id), false);
                },
              },
            ]
          : []),
      ].map((command) => ({ ...command, isByKeysOnly: true })),
    [rows, selected],
  );

  const heads = { order: isFree || isByTime(order) ? order : "newest", isOffered: isFree, onOrder } as const;
  const failed = explained.value;
  return (
    <>
      <table class={`list documents${partitions.length === 0 ? " undivided" : ""}`} aria-label={texts.list}>
        <thead>
          <tr>
            {mayWrite() && (
              <th class="select">
                <input
                  type="checkbox"
                  aria-label={texts.selectAll}
                  checked={rows.length > 0 && rows.every(({ id }) => selected.has(id))}
                  onClick={(event) => onSelect(rows, event.currentTarget.checked)}
                />
              </th>
            )}
            <OrderHeader column="name" class="" {...heads} />
            <th scope="col" class="partition">
              {texts.partition}
            </th>
            <OrderHeader column="size" class="size" {...heads} />
            <OrderHeader column="added" class="time" {...heads} isOffered />
            <OrderHeader column="state" class="state" {...heads} />
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <DocumentRow
              key={row.id}
              document={row}
              partition={row.partitionId === null ? null : (names.get(row.partitionId) ?? null)}
              isSelected={selected.has(row.id)}
              onSelect={(isSelected, isRange) => select(row.id, isSelected, isRange)}
              onExplain={() => (explained.value = row)}
            />
          ))}
        </tbody>
      </table>
      {failed !== null && (
        <RemedyDialog
          name={failed.name}
          error={failed.error ?? ""}
          onRetry={() => retryDocuments(client, [failed])}
          onDelete={() => deleteDocuments(client, [failed])}
          onClose={() => (explained.value = null)}
        />
      )}
    </>
  );
};

interface DocumentRowProps {
  document: DocumentRecord;
  partition: string | null;
  isSelected: boolean;
  /** @param isRange from the row that was chosen last to this one */
  onSelect(isSelected: boolean, isRange: boolean): void;
  onExplain(): void;
}

/** A document in the list: what it is, how it is, and what can be done about that. */
const DocumentRow = ({ document: shown, partition, isSelected, onSelect, onExplain }: DocumentRowProps) => {
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
                <button type="button" class="quiet" aria-label={`${recordStrings.how}: ${name}`} onClick={onExplain}>
                  {recordStrings.how}
                </button>
              )}
              {mayWrite() && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={`${recordStrings.retry}: ${name}`}
                  onClick={() => retryDocuments(client, [shown])}
                >
                  {recordStrings.retry}
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

interface OrderHeaderProps {
  column: OrderColumn;
  class: string;
  /** The order of the list. */
  order: ListOrder;
  /** Whether the list can be ordered by this column. */
  isOffered: boolean;
  onOrder(order: ListOrder): void;
}

const icons = { ascending: ArrowUp, descending: ArrowDown };
/** Which orders count as ascending. */
const ascending: readonly ListOrder[] = ["a-z", "shortest", "oldest", "open"];

/** The head of a column that the list can be ordered by. */
const OrderHeader = ({ column, class: name, order, isOffered, onOrder }: OrderHeaderProps) => {
  const isShown = (ordersOf[column] as readonly ListOrder[]).includes(order);
  const direction = ascending.includes(order) ? "ascending" : "descending";
  const words = texts.columns[column];
  const next = nextOrder(column, order);
  return (
    <th scope="col" class={name} aria-sort={isShown ? direction : undefined}>
      {isOffered ? (
        <button
          type="button"
          class={isShown ? "turn" : "turn idle"}
          aria-label={texts.orderBy(words, isShown ? texts.orders[order] : null, texts.orders[next])}
          title={isShown ? texts.orders[order] : undefined}
          onClick={() => onOrder(next)}
        >
          {words} <Icon icon={isShown ? icons[direction] : ArrowUpDown} />
        </button>
      ) : (
        words
      )}
    </th>
  );
};
