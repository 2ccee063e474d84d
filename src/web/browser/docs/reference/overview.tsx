import { useLayoutEffect } from "preact/hooks";
import { showPlace } from "../show-place.ts";
import { strings } from "../strings.ts";
import type { Api } from "./api.ts";
import { Described, Method } from "./words.tsx";

/** Every operation, by what it is about. `#askQuestion` is its line. */
export const Overview = ({ api }: { api: Api }) => {
  useLayoutEffect(showPlace, []);
  return (
    <article class="overview">
      <h1>{strings.reference}</h1>
      <p>
        Keys, bodies, answers and errors that all operations share are described in{" "}
        <a href="/docs/guide/api">HTTP API</a>. Programs read <a href="/openapi.json">/openapi.json</a> (Carrel{" "}
        {api.version}
        ).
      </p>
      {api.tags.map(({ name, description, operations }) => (
        <section key={name}>
          <h2 id={name}>{name}</h2>
          <p class="quiet">
            <Described text={description} />
          </p>
          <ul class="operations">
            {operations.map(({ operationId, method, path, summary }) => (
              <li key={operationId} id={operationId}>
                <a href={`/docs/reference/${operationId}`}>
                  <Method name={method} />
                  <code>{path}</code>
                  <span>{summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
};
