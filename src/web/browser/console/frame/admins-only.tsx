import { ViewHeader } from "../components/view-header.tsx";
import { session } from "../state/session.ts";
import { RoleRights } from "./role-rights.tsx";

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
