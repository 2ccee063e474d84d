import { useLayoutEffect } from "preact/hooks";
import { type Api, resolved, type Schema } from "./api.ts";
import { showPlace } from "./content.ts";
import { fieldsOf, typeWords } from "./fields.ts";
import { Described, FieldList, Method, Type } from "./reference-parts.tsx";
import { strings } from "./strings.ts";

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

/** What bodies and answers are made of, each under its name. */
export const RecordsView = ({ api }: { api: Api }) => {
  useLayoutEffect(showPlace, []);
  return (
    <article class="records">
      <p class="trail">{strings.reference}</p>
      <h1>{strings.records}</h1>
      {api.records.map((name) => (
        <Record key={name} api={api} name={name} />
      ))}
    </article>
  );
};

const Record = ({ api, name }: { api: Api; name: string }) => {
  const schema: Schema = resolved(api, { $ref: `#/components/schemas/${name}` });
  const fields = fieldsOf(schema, false);
  return (
    <section>
      <h2 id={name}>{name}</h2>
      {schema.description !== undefined && (
        <p>
          <Described text={schema.description} />
        </p>
      )}
      {fields.length > 0 ? <FieldList fields={fields} /> : <Type words={typeWords(schema)} />}
    </section>
  );
};
