import { render } from "preact";
import { useEffect } from "preact/hooks";
import { Route, Router } from "preact-iso";
import { keepUnderPrefix, Places } from "../shared/places.tsx";
import { Loading, later } from "./components/notes.tsx";
import { componentStrings } from "./components/words.ts";
import { Frame } from "./frame/frame.tsx";
import { frameStrings as words } from "./frame/strings.ts";
import { isOutOfReach, resumeSession, session, sessionOfPage, signIn, takeKeyFromAddress } from "./state/session.ts";
import { Adding } from "./views/documents/adding/adding.tsx";
import { DocumentsView } from "./views/documents/documents-view.tsx";
import { SignInView } from "./views/sign-in/sign-in-view.tsx";
// What several views share and is small: in the first script. Left to themselves, they would be as many scripts of some
// hundred bytes, and a browser loads six files at a time.
import "../shared/composer.tsx";
import "./components/facts.tsx";
import "./components/dialog.tsx";
import "./components/lists.tsx";
import "./components/rights.tsx";
import "./components/view-header.tsx";
import "./state/loaded.ts";
import "./views/document/mark-passage.ts";

// Not what is opened first, so the first load does without them.
const AskView = later(async () => (await import("./views/ask/ask-view.tsx")).AskView);
const ChatsView = later(async () => (await import("./views/chats/chats-view.tsx")).ChatsView);
const DocumentView = later(async () => (await import("./views/document/document-view.tsx")).DocumentView);
const KeysView = later(async () => (await import("./views/keys/keys-view.tsx")).KeysView);
const PartitionsView = later(async () => (await import("./views/partitions/partitions-view.tsx")).PartitionsView);
const SettingsView = later(async () => (await import("./views/settings/settings-view.tsx")).SettingsView);

const retryMs = 2_000;

/** A link with a key signs in. Without one, the session goes on, of which the page mostly knows. */
const start = async (key: string | null): Promise<void> => {
  if (key !== null) return await signIn(key);
  session.value = sessionOfPage();
  if (session.value === undefined) await resumeSession();
};

const Console = () => {
  useEffect(() => {
    // The page may be open already when such a link is followed.
    const onHash = () => {
      const key = takeKeyFromAddress();
      if (key !== null) void signIn(key);
    };
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);
  useEffect(() => {
    if (!isOutOfReach.value) return;
    const timer = setInterval(() => void resumeSession(), retryMs);
    return () => clearInterval(timer);
  }, [isOutOfReach.value]);

  if (session.value === undefined)
    return (
      <main class="sign-in">
        <Loading>{isOutOfReach.value ? words.outOfReach : componentStrings.loading}</Loading>
      </main>
    );
  if (session.value === null) return <SignInView />;
  return (
    // Another key sees other things: nothing of the first one's is kept.
    <Frame key={session.value.id}>
      <Adding />
      <Router>
        <Route path="/" component={DocumentsView} />
        <Route path="/documents" component={DocumentsView} />
        <Route path="/documents/:id" component={DocumentView} />
        <Route path="/ask" component={AskView} />
        <Route path="/chats" component={ChatsView} />
        <Route path="/chats/:id" component={ChatsView} />
        <Route path="/partitions" component={PartitionsView} />
        <Route path="/keys" component={KeysView} />
        <Route path="/settings" component={SettingsView} />
        <Route default component={DocumentsView} />
      </Router>
    </Frame>
  );
};

const place = document.querySelector<HTMLElement>("#console");
if (place !== null && keepUnderPrefix()) {
  void start(takeKeyFromAddress());
  render(
    // API and data paths are no views: the browser follows links to them.
    <Places scope={/^\/(documents|ask|chats|partitions|keys|settings)?(\/|$|\?)/}>
      <Console />
    </Places>,
    place,
  );
}
