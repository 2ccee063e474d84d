import { useSignal } from "@preact/signals";
import { Menu } from "lucide";
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Icon } from "../shared/controls.tsx";
import { keepUnderPrefix, Places } from "../shared/places.tsx";
import { api, guides, hasFailed, loadDocuments, showPlace } from "./content.ts";
import { Navigation } from "./navigation.tsx";
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
          onClick={() => {
            isListOpen.value = !isListOpen.value;
          }}
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
