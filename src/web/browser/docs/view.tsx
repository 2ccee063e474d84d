import { useLayoutEffect } from "preact/hooks";
import { GuideView } from "./guides/guide-view.tsx";
import { HomeView } from "./home-view.tsx";
import { OperationView } from "./reference/operation-view.tsx";
import { Overview } from "./reference/overview.tsx";
import { RecordsView } from "./reference/records-view.tsx";
import { api, guides, hasFailed } from "./state/documents.ts";
import { strings } from "./strings.ts";

/** What an address shows, and its title. Null: what it needs is still loading. */
const viewOf = (path: string) => {
  const [kind = "", name = ""] = path.split("/").slice(2);
  if (kind === "guide") {
    if (guides.value === null) return null;
    const guide = guides.value.find(({ slug }) => slug === name);
    if (guide === undefined) return { title: strings.noGuide, view: <Missing title={strings.noGuide} /> };
    return { title: guide.title, view: <GuideView key={guide.slug} guide={guide} all={guides.value} /> };
  }
  if (kind === "reference") {
    if (api.value === null) return null;
    if (name === "") return { title: strings.reference, view: <Overview api={api.value} /> };
    if (name === "records") return { title: strings.records, view: <RecordsView api={api.value} /> };
    const operation = api.value.operations.get(name);
    if (operation === undefined) return { title: strings.noOperation, view: <Missing title={strings.noOperation} /> };
    return { title: operation.summary, view: <OperationView key={name} api={api.value} operation={operation} /> };
  }
  if (guides.value === null) return null;
  return { title: strings.homeTitle, view: <HomeView guides={guides.value} api={api.value} /> };
};

const Missing = ({ title }: { title: string }) => (
  <article>
    <h1>{title}</h1>
    <p>{strings.noSuchPlace}</p>
  </article>
);

/** The view of an address. */
export const View = ({ path }: { path: string }) => {
  const shown = viewOf(path);
  useLayoutEffect(() => {
    if (shown !== null) document.title = `${shown.title} · Carrel`;
  }, [shown?.title]);
  if (shown !== null) return shown.view;
  return hasFailed.value ? null : (
    <p class="quiet" role="status">
      {strings.loading}
    </p>
  );
};
