import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { copyCode } from "../shared/text-blocks.ts";
import { showPlace } from "./content.ts";
import type { Guide } from "./guide-text.ts";
import { resolveGuideLink, sectionsOf, writtenText } from "./guide-text.ts";
import { renderGuide } from "./render-guide.ts";
import { strings } from "./strings.ts";

/** A guide with its headings beside it, and the guides before and after it below. */
export const GuideView = ({ guide, all }: { guide: Guide; all: readonly Guide[] }) => {
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
