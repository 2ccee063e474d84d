import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { Document as DocumentRecord, Partition } from "../../../shared/api.ts";
import { useCommands } from "../../state/commands.ts";
import { client, mayWrite } from "../../state/session.ts";
import { deleteDocuments, retryDocuments } from "./document-actions.ts";
import { DocumentRow } from "./document-row.tsx";
import { isByTime, type ListOrder } from "./order/list-order.ts";
import { OrderHeader } from "./order/order-header.tsx";
import { RemedyDialog } from "./remedy-dialog.tsx";
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
