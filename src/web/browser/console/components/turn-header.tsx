import { ArrowDown, ArrowUp } from "lucide";
import { frameStrings as words } from "../frame/strings.ts";
import { Icon } from "./icon.tsx";

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
