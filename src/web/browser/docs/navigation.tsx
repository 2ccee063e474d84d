import type { Api } from "./api.ts";
import type { Guide } from "./guide-text.ts";
import { Method } from "./reference-parts.tsx";
import { strings } from "./strings.ts";

interface NavigationProps {
  guides: readonly Guide[];
  api: Api | null;
  /** The address that is open, without `#`. */
  path: string;
}

/** All guides and all operations. */
export const Navigation = ({ guides, api, path }: NavigationProps) => (
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
