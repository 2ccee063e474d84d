import { useSignal } from "@preact/signals";
import { Menu } from "lucide";
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Icon } from "../shared/controls.tsx";
import { keepUnderPrefix, Places } from "../shared/places.tsx";
import type { Api } from "./api.ts";
import { api, guides, hasFailed, loadDocuments, showPlace } from "./content.ts";
import type { Guide } from "./guide-text.ts";
import { Method } from "./reference-parts.tsx";
import { SearchBox } from "./search-box.tsx";
import { strings } from "./strings.ts";
import { View } from "./views.tsx";

const place = document.querySelector<HTMLElement>("#docs");
const { guides: guidesPath = "", reference: referencePath = "" } = place?.dataset ?? {};

const Docs = () => {
  const { path, url } = useLocation();
  const isListOpen = useSignal(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const list = useRef<HTMLElement>(null);

  useEffect(() => {
    void loadDocuments(guidesPath, referencePath);
  }, []);
  // Another view: the list closes, the focus is at its beginning, and the place that the address names is shown.
  useLayoutEffect(() => {
    isListOpen.value = false;
    showLine(list.current);
    if (isFirst.current) isFirst.current = false;
    else {
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
  }, [path]);
  useLayoutEffect(showPlace, [url]);
  const isReady = guides.value !== null && api.value !== null;
  useLayoutEffect(() => showLine(list.current), [isReady]);

  return (
    <div class="docs">
      <a class="skip" href="#content">
        {strings.skip}
      </a>
      <header>
        <a class="home-link" href="/docs">
          {strings.home}
        </a>
        <SearchBox />
        <button
          type="button"
          class="list-button"
          aria-expanded={isListOpen.value}
          aria-controls="list"
          onClick={() => (isListOpen.value = !isListOpen.value)}
        >
          <Icon icon={Menu} />
          {strings.contents}
        </button>
        <a class="console-link" href="/">
          {strings.console}
        </a>
      </header>
      <nav id="list" ref={list} class={isListOpen.value ? "list open" : "list"} aria-label={strings.navigation}>
        <Navigation guides={guides.value ?? []} api={api.value} path={path} />
      </nav>
      <main id="content" tabIndex={-1} ref={main}>
        {hasFailed.value && (
          <p class="notice" role="alert">
            {strings.notLoaded}{" "}
            <button type="button" onClick={() => void loadDocuments(guidesPath, referencePath)}>
              {strings.tryAgain}
            </button>
          </p>
        )}
        <View path={path} />
      </main>
    </div>
  );
};

/** Scrolls the list, and not the page, until the line of the open view is in its middle; not where it is in sight. */
const showLine = (list: HTMLElement | null): void => {
  const line = list?.querySelector("[aria-current]")?.getBoundingClientRect();
  const box = list?.getBoundingClientRect();
  if (line === undefined || box === undefined) return;
  if (line.top >= box.top && line.bottom <= box.bottom) return;
  list?.scrollBy(0, (line.top + line.bottom - box.top - box.bottom) / 2);
};

if (place !== null && keepUnderPrefix()) {
  place.replaceChildren();
  render(
    // The page of the errors and the guides as text are no views: the browser follows links to them.
    <Places scope={/^\/docs(?:$|[/?#])(?!errors|guide\/[\w-]+\.md)/}>
      <Docs />
    </Places>,
    place,
  );
}

interface NavigationProps {
  guides: readonly Guide[];
  api: Api | null;
  /** The address that is open, without `#`. */
  path: string;
}

/** All guides and all operations. */
const Navigation = ({ guides, api, path }: NavigationProps) => (
  <>
    {[...Map.groupBy(guides, ({ group }) => group)].map(([group, members]) => (
      <section key={group}>
        <h2>{group}</h2>
        <ul>
          {members.map(({ slug, title }) => (
            <Line key={slug} address={`/docs/guide/${slug}`} path={path} title={title} />
          ))}
        </ul>
      </section>
    ))}
    <section>
      <h2>{strings.reference}</h2>
      <ul>
        <Line address="/docs/reference" path={path} title={strings.allOperations} />
        <Line address="/docs/reference/records" path={path} title={strings.records} />
      </ul>
      {api?.tags.map(({ name, operations }) => {
        const isHere = operations.some(({ operationId }) => path === `/docs/reference/${operationId}`);
        return (
          <details key={`${name}${isHere}`} open={isHere}>
            <summary>{name}</summary>
            <ul>
              {operations.map(({ operationId, method, summary }) => (
                <Line
                  key={operationId}
                  address={`/docs/reference/${operationId}`}
                  path={path}
                  title={summary}
                  method={method}
                />
              ))}
            </ul>
          </details>
        );
      })}
    </section>
  </>
);

interface LineProps {
  address: string;
  path: string;
  title: string;
  method?: string;
}

const Line = ({ address, path, title, method }: LineProps) => (
  <li>
    <a href={address} aria-current={address === path ? "page" : undefined}>
      {method !== undefined && <Method name={method} />}
      <span>{title}</span>
    </a>
  </li>
);
