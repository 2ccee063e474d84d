import { ArrowDown, ArrowUp, ArrowUpDown } from "lucide";
import { Icon } from "../../../components/icon.tsx";
import { documentsStrings as texts } from "../strings.ts";
import { type ListOrder, nextOrder, type OrderColumn, ordersOf } from "./list-order.ts";

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
export const OrderHeader = ({ column, class: name, order, isOffered, onOrder }: OrderHeaderProps) => {
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
