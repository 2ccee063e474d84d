import { Dialog } from "../components/dialog.tsx";
import { RelativeTime } from "../components/relative-time.tsx";
import { session, signOut } from "../state/session.ts";
import { RoleRights } from "./role-rights.tsx";
import { frameStrings as words } from "./strings.ts";

/** The key that is signed in, what it may do, and signing out. */
export const AccountDialog = ({ onClose }: { onClose(): void }) => {
  const key = session.value;
  if (!key) return null;
  const actions = (
    <>
      <button type="button" onClick={onClose}>
        {words.close}
      </button>
      <button type="button" class="primary" onClick={() => void signOut()}>
        {words.signOut}
      </button>
    </>
  );
  return (
    <Dialog title={key.name} onClose={onClose} actions={actions}>
      <RoleRights role={key.role} isLimited={key.partitionId !== null} />
      <p>
        <a href="/docs" target="_blank" rel="noopener">
          {words.guides}
        </a>
      </p>
      {key.expiresAt !== null && (
        <p class="quiet">
          {words.expires} <RelativeTime at={key.expiresAt} />
        </p>
      )}
    </Dialog>
  );
};
