import { ArrowDown, ArrowLeft, ArrowUp } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "../../shared/controls.tsx";
import type { Pages } from "../state/loaded.ts";
import { componentStrings as words } from "./words.ts";

interface ListTableProps {
  /** Heads of columns: words, or a `th`. */
  columns: readonly ComponentChildren[];
  /** What can be done with a row, for screen readers: the head of a last column of buttons. */
  actions?: string;
  /** What the list is of, for screen readers. */
  label?: string;
  /** Of the frame: whether a row is a block of lines on phones. */
  stacks?: boolean;
  class?: string;
  /** Rows. */
  children: ComponentChildren;
}

/** The table of a list. */
export const ListTable = ({ columns, actions, label, stacks = false, class: name = "", children }: ListTableProps) => (
  <div class={stacks ? "table-frame stacks" : "table-frame"}>
    <table class={`list ${name}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (typeof column === "string" ? <th key={column}>{column}</th> : column))}
          {actions !== undefined && (
            <th>
              <span class="unseen">{actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

/** Loads the next page of a list; nothing where all is there. */
export const MoreButton = ({ pages: { items, total, more } }: { pages: Pages<unknown> }) =>
  more === null ? null : (
    <button type="button" class="more" onClick={more}>
      {words.more(items?.length ?? 0, total ?? 0)}
    </button>
  );

interface TurnHeaderProps {
  /** What the column is called: "Added". */
  name: string;
  isOldestFirst: boolean;
  /** Turns the order round. */
  onTurn(): void;
}

const orderOf = (isOldestFirst: boolean): string => (isOldestFirst ? words.oldestFirst : words.newestFirst);

/** The head of the column of times that a list is sorted by. */
export const TurnHeader = ({ name, isOldestFirst, onTurn }: TurnHeaderProps) => {
  const order = orderOf(isOldestFirst);
  return (
    <th scope="col" class="time" aria-sort={isOldestFirst ? "ascending" : "descending"}>
      <button type="button" class="turn" aria-label={words.sort(name, order)} title={order} onClick={onTurn}>
        {name} <Icon icon={isOldestFirst ? ArrowUp : ArrowDown} />
      </button>
    </th>
  );
};

/** The same on phones, where lists have no heads of columns. */
export const TurnButton = ({ name, isOldestFirst, onTurn }: TurnHeaderProps) => {
  const order = orderOf(isOldestFirst);
  return (
    <button type="button" class="turn-alone" aria-label={words.sort(name, order)} onClick={onTurn}>
      <Icon icon={isOldestFirst ? ArrowUp : ArrowDown} />
      {order}
    </button>
  );
};

interface BackLinkProps {
  href: string;
  class: string;
  children: ComponentChildren;
}

/** A link to the list that a view came from. */
export const BackLink = ({ href, class: name, children }: BackLinkProps) => (
  <a class={name} href={href}>
    <Icon icon={ArrowLeft} />
    {children}
  </a>
);
