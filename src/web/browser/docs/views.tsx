import { useLayoutEffect } from "preact/hooks";
import type { Api } from "./api.ts";
import { api, guides, hasFailed } from "./content.ts";
import type { Guide } from "./guide-text.ts";
import { leadOf } from "./guide-text.ts";
import { GuideView } from "./guide-view.tsx";
import { OperationView, Overview, RecordsView } from "./reference-views.tsx";
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

/** What there is to read. */
const HomeView = ({ guides, api }: { guides: readonly Guide[]; api: Api | null }) => (
  <article class="home">
    <h1>{strings.homeTitle}</h1>
    <p class="lead">{strings.homeLead}</p>
    {[...Map.groupBy(guides, ({ group }) => group)].map(([group, members]) => (
      <section key={group}>
        <h2>{group}</h2>
        <ul class="cards">
          {members.map(({ slug, title, text }) => (
            <li key={slug}>
              <a href={`/docs/guide/${slug}`}>{title}</a>
              <p class="quiet small">{leadOf(text)}</p>
            </li>
          ))}
        </ul>
      </section>
    ))}
    {api !== null && (
      <section>
        <h2>{strings.reference}</h2>
        <ul class="cards">
          {api.tags.map(({ name, description }) => (
            <li key={name}>
              <a href={`/docs/reference#${name}`}>{name}</a>
              <p class="quiet small">{description}</p>
            </li>
          ))}
        </ul>
      </section>
    )}
  </article>
);
