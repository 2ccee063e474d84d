import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { addCopyButton, allowedAttributes, allowedTags, copyCode, escaped, letScroll } from "../shared/markdown.ts";
import type { Api } from "./api.ts";
import { api, guides, hasFailed, showPlace } from "./content.ts";
import {
  createIds,
  type Guide,
  type GuideLink,
  leadOf,
  resolveGuideLink,
  sectionsOf,
  writtenText,
} from "./guide-text.ts";
import { OperationView, Overview, RecordsView } from "./reference-views.tsx";
import { strings } from "./strings.ts";

/** A guide with its headings beside it, and the guides before and after it below. */
const GuideView = ({ guide, all }: { guide: Guide; all: readonly Guide[] }) => {
  const place = useRef<HTMLDivElement>(null);
  const text = writtenText(guide);
  const headings = useMemo(() => sectionsOf(text).filter(({ level }) => level === 2), [text]);
  const at = all.indexOf(guide);

  useLayoutEffect(() => {
    const known = new Set(all.map(({ slug }) => slug));
    const api = all.find(({ slug }) => slug === "api");
    const anchors = new Set(api === undefined ? [] : sectionsOf(writtenText(api)).map(({ id }) => id));
    const resolve = (href: string) => resolveGuideLink(guide.slug, href, known, anchors);
    place.current?.replaceChildren(renderGuide(text, resolve));
    showPlace();
  }, [guide, text]);

  useLayoutEffect(() => {
    const { current } = place;
    const copy = (event: Event) => void copyCode(event);
    current?.addEventListener("click", copy);
    return () => current?.removeEventListener("click", copy);
  }, []);

  return (
    <div class="guide">
      <article>
        <p class="trail">{guide.group}</p>
        <div class="text" ref={place} />
        <footer class="beside">
          <Beside label={strings.previous} guide={all[at - 1]} />
          <Beside label={strings.next} guide={all[at + 1]} />
        </footer>
        <p class="quiet small">
          <a href={`/docs/guide/${guide.slug}.md`}>{strings.asText}</a>
        </p>
      </article>
      {headings.length > 1 && (
        <nav class="outline" aria-label={strings.onThisPage}>
          <p>{strings.onThisPage}</p>
          <ul>
            {headings.map(({ id, heading }) => (
              <li key={id}>
                <a href={`#${id}`}>{heading}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
};

const Beside = ({ label, guide }: { label: string; guide: Guide | undefined }) =>
  guide === undefined ? (
    <span />
  ) : (
    <a href={`/docs/guide/${guide.slug}`}>
      <span class="quiet small">{label}</span>
      {guide.title}
    </a>
  );

/** Other hosts, and the places of this page and of the console. */
const allowedAddress = /^(?:https?:|mailto:|\/(?!\/)|#)/i;
const comment = /^<!--[^<>]*-->\s*$/;
/** All HTML that the guides use: a line ends within the cell of a table. */
const lineEnd = "<br>";

/**
 * The Markdown of a guide as elements: its headings have ids and a link to themselves, its code can be copied, wide tables
 * scroll in themselves. Pictures are left out, since the server does not carry them.
 */
const renderGuide = (markdown: string, resolve: (href: string) => GuideLink): DocumentFragment => {
  const html = new Marked({
    async: false,
    gfm: true,
    renderer: {
      html: ({ text }) => (comment.test(text) ? "" : text === lineEnd ? lineEnd : escaped(text)),
      image: () => "",
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens);
        const link = resolve(href);
        if ("unlinked" in link)
          return shown.includes(escaped(link.unlinked)) ? shown : `${shown} (<code>${escaped(link.unlinked)}</code>)`;
        return `<a href="${escaped(link.address)}">${shown}</a>`;
      },
    },
  }).parse(markdown, { async: false });
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOWED_URI_REGEXP: allowedAddress,
    RETURN_DOM_FRAGMENT: true,
  });
  const idOf = createIds();
  for (const heading of fragment.querySelectorAll<HTMLElement>("h1, h2, h3, h4, h5, h6")) nameHeading(heading, idOf);
  for (const link of fragment.querySelectorAll<HTMLAnchorElement>("a[href^=http]")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  }
  for (const code of fragment.querySelectorAll("pre")) addCopyButton(code);
  for (const table of fragment.querySelectorAll("table")) {
    if (table.textContent?.trim() === "") table.remove();
    else letScroll(table);
  }
  // A paragraph of pictures alone.
  for (const paragraph of fragment.querySelectorAll("p")) if (paragraph.textContent?.trim() === "") paragraph.remove();
  return fragment;
};

const nameHeading = (heading: HTMLElement, idOf: (text: string) => string): void => {
  const text = heading.textContent ?? "";
  heading.id = idOf(text);
  heading.tabIndex = -1;
  if (heading.tagName === "H1") return;
  const link = document.createElement("a");
  link.className = "anchor";
  link.href = `#${heading.id}`;
  link.textContent = "#";
  link.setAttribute("aria-label", strings.linkTo(text));
  heading.append(" ", link);
};

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
