import { useLayoutEffect } from "preact/hooks";
import { showPlace } from "../show-place.ts";
import { strings } from "../strings.ts";
import { type Api, resolved, type Schema } from "./api.ts";
import { FieldList } from "./field-list.tsx";
import { fieldsOf } from "./fields.ts";
import { typeWords } from "./type-words.ts";
import { Described, Type } from "./words.tsx";

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
