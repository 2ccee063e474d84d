import { Check, Minus } from "lucide";
import type { Key } from "../../shared/api.ts";
import { Icon } from "../../shared/controls.tsx";
import { session } from "../state/session.ts";
import { ViewHeader } from "./view-header.tsx";
import { componentStrings as words } from "./words.ts";

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

interface AdminsOnlyProps {
  /** Of the view. */
  title: string;
  /** Who sees it. */
  who: string;
  /** What the others can do. */
  instead: string;
}

/** In place of a view that the signed-in key may not see: what it may do. */
export const AdminsOnly = ({ title, who, instead }: AdminsOnlyProps) => {
  const key = session.value;
  if (!key) return null;
  return (
    <>
      <ViewHeader title={title} />
      <section class="card own-key">
        <h2>{who}</h2>
        <RoleRights role={key.role} isLimited={key.partitionId !== null} />
        <p class="quiet">{instead}</p>
      </section>
    </>
  );
};
