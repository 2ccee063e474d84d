import {
  BookOpen,
  CircleUser,
  FileText,
  Folder,
  KeyRound,
  MessageCircleQuestionMark,
  MessagesSquare,
  Search,
  Settings,
} from "lucide";
import { useLocation } from "preact-iso";
import { Icon } from "../../shared/controls.tsx";
import { Dialog } from "../components/dialog.tsx";
import { RelativeTime, StateWord } from "../components/facts.tsx";
import { RoleRights } from "../components/rights.tsx";
import { componentStrings } from "../components/words.ts";
import { server } from "../state/server.ts";
import { session, signOut } from "../state/session.ts";
import { frameStrings as words } from "./strings.ts";

/** The view that an address belongs to; the address of the server itself shows the documents. */
const viewOf = (path: string): string => path.split("/")[1] || "documents";

/** Links to the views; at its foot the state of the server and the key. Icons on narrow windows, a bar on phones. */
export const Rail = ({ onAccount, onPalette }: { onAccount(): void; onPalette(): void }) => {
  const here = viewOf(useLocation().path);
  return (
    <div class="rail">
      <p class="rail-name" aria-hidden="true">
        {words.product}
      </p>
      <nav aria-label={words.navigation}>
        {railViews.map(({ id, icon }) => (
          <a
            key={id}
            href={`/${id}`}
            class="rail-item"
            aria-current={id === here ? "page" : undefined}
            title={words.views[id]}
          >
            <Icon icon={icon} />
            <span>{words.views[id]}</span>
          </a>
        ))}
      </nav>
      <button type="button" class="rail-item rail-palette" title={words.openPalette} onClick={onPalette}>
        <Icon icon={Search} />
        <span>{words.palette}</span>
        <kbd>{words.paletteKeys}</kbd>
      </button>
      <a class="rail-item rail-guides" href="/docs" target="_blank" title={words.guides} rel="noopener">
        <Icon icon={BookOpen} />
        <span>{words.guidesShort}</span>
      </a>
      <div class="rail-foot">
        <ServerWord />
        <button type="button" class="rail-item" title={words.showKey} onClick={onAccount}>
          <Icon icon={CircleUser} />
          <span class="rail-key">
            <span class="unseen">{words.signedInAs} </span>
            <span dir="auto">{session.value?.name}</span>
            <span class="quiet">{session.value && componentStrings.roles[session.value.role]}</span>
          </span>
        </button>
      </div>
    </div>
  );
};

const ServerWord = () => {
  const { kind, reading } = server.value;
  const word = kind === "lost" ? words.serverLost : reading > 0 ? words.reading(reading) : words.serverReady;
  return (
    <div class={`rail-server ${kind}`} role="status" title={word}>
      <StateWord mood={kind === "lost" ? "bad" : reading > 0 ? "wait" : "good"}>{word}</StateWord>
    </div>
  );
};

/** The key that is signed in, what it may do, and signing out. */
export const AccountDialog = ({ onClose }: { onClose(): void }) => {
  const key = session.value;
  if (!key) return null;
  const actions = (
    <>
      <button type="button" onClick={onClose}>
        {componentStrings.close}
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

/** The views of the rail, with the keys that go there. */
export const railViews = [
  { id: "documents", icon: FileText, keys: "g d" },
  { id: "ask", icon: MessageCircleQuestionMark, keys: "g a" },
  { id: "chats", icon: MessagesSquare, keys: "g c" },
  { id: "partitions", icon: Folder, keys: "g p" },
  { id: "keys", icon: KeyRound, keys: "g k" },
  { id: "settings", icon: Settings, keys: "g s" },
] as const;
