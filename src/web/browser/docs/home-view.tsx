import type { Guide } from "../shared/guides-partition.ts";
import { leadOf } from "./guides/sections.ts";
import type { Api } from "./reference/api.ts";
import { strings } from "./strings.ts";

/** What there is to read. */
export const HomeView = ({ guides, api }: { guides: readonly Guide[]; api: Api | null }) => (
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
