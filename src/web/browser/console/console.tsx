import { render } from "preact";
import { useEffect } from "preact/hooks";
import { LocationProvider, Route, Router } from "preact-iso";
import type { Key } from "../shared/api.ts";
import { Frame } from "./frame/frame.tsx";
import { client, session } from "./state/session.ts";
import { AskView } from "./views/ask/ask-view.tsx";
import { ChatsView } from "./views/chats/chats-view.tsx";
import { DocumentView } from "./views/document/document-view.tsx";
import { Adding } from "./views/documents/adding/adding.tsx";
import { DocumentsView } from "./views/documents/documents-view.tsx";
import { KeysView } from "./views/keys/keys-view.tsx";
import { PartitionsView } from "./views/partitions/partitions-view.tsx";
import { SettingsView } from "./views/settings/settings-view.tsx";
import { SignInView } from "./views/sign-in/sign-in-view.tsx";

const Console = () => {
  useEffect(() => {
    client.get<Key>("/api/session").then(
      (key) => {
        session.value = key;
      },
      () => {
        session.value = null;
      },
    );
  }, []);
  if (session.value === undefined) return null;
  if (session.value === null) return <SignInView />;
  return (
    <Frame>
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
    <LocationProvider scope={/^\/(documents|ask|chats|partitions|keys|settings)?(\/|$)/}>
      <Console />
    </LocationProvider>,
    place,
  );
