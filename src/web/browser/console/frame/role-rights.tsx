import { Check, Minus } from "lucide";
import type { Key } from "../../shared/api.ts";
import { Icon } from "../components/icon.tsx";
import { frameStrings as words } from "./strings.ts";

const order: readonly Key["role"][] = ["reader", "writer", "admin"];

/** What a key may do and what not, in words. */
export const RoleRights = ({ role, isLimited }: { role: Key["role"]; isLimited: boolean }) => (
  <div class="rights">
    <p>{words.roleSentence(words.roles[role])}</p>
    <ul>
      {order.map((each) => {
        const isGranted = order.indexOf(each) <= order.indexOf(role);
        return (
          <li key={each} class={isGranted ? "" : "quiet"}>
            <Icon icon={isGranted ? Check : Minus} />
            <span>
              {!isGranted && <span class="unseen">{words.notAllowed} </span>}
              {words.rights[each]}
            </span>
          </li>
        );
      })}
    </ul>
    {isLimited && <p>{words.limited}</p>}
  </div>
);
