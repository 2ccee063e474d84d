import { documentsStrings as texts } from "../strings.ts";
import { isByTime, type ListOrder, orders } from "./list-order.ts";

interface OrderChoiceProps {
  order: ListOrder;
  /** Whether the list can be ordered otherwise than by time. */
  isFree: boolean;
  onOrder(order: ListOrder): void;
}

/** The order of the list, where it has no heads of columns: on phones. */
export const OrderChoice = ({ order, isFree, onOrder }: OrderChoiceProps) => (
  <select
    class="order-choice"
    aria-label={texts.order}
    value={order}
    onChange={(event) => onOrder(event.currentTarget.value as ListOrder)}
  >
    {orders
      .filter((each) => isFree || isByTime(each) || each === order)
      .map((each) => (
        <option key={each} value={each}>
          {texts.orders[each]}
        </option>
      ))}
  </select>
);
