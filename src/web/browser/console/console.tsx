import { render } from "preact";
import { useEffect } from "preact/hooks";
import { LocationProvider, lazy, Route, Router } from "preact-iso";
import { Loading } from "./components/loading.tsx";
import { Frame } from "./frame/frame.tsx";
import { takeKeyFromAddress } from "./state/key-in-address.ts";
import { isOutOfReach, resumeSession, session, signIn } from "./state/session.ts";
import { strings } from "./strings.ts";
import { Adding } from "./views/documents/adding/adding.tsx";
import { DocumentsView } from "./views/documents/documents-view.tsx";
import { KeysView } from "./views/keys/keys-view.tsx";
import { PartitionsView } from "./views/partitions/partitions-view.tsx";
import { SettingsView } from "./views/settings/settings-view.tsx";
import { SignInView } from "./views/sign-in/sign-in-view.tsx";

const retryMs = 2_000;

/** Views that show Markdown: what they need for that is loaded with the first of them. */
const AskView = lazy(() => import("./views/ask/ask-view.tsx").then(({ AskView }) => AskView));
const ChatsView = lazy(() => import("./views/chats/chats-view.tsx").then(({ ChatsView }) => ChatsView));
const DocumentView = lazy(() => import("./views/document/document-view.tsx").then(({ DocumentView }) => DocumentView));

/** A link with a key signs in, also where the page is open already. Without one, the session goes on. */
const start = (key: string | null): Promise<void> => (key === null ? resumeSession() : signIn(key));

const Console = () => {
  useEffect(() => {
    void start(takeKeyFromAddress());
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
        <Loading>{isOutOfReach.value ? strings.frame.outOfReach : strings.frame.loading}</Loading>
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
if (place !== null)
  render(
    // API and data paths are no views: the browser follows links to them.
    <LocationProvider scope={/^\/(documents|ask|chats|partitions|keys|settings)?(\/|$|\?)/}>
      <Console />
    </LocationProvider>,
    place,
  );
