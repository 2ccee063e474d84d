import { useLayoutEffect } from "preact/hooks";
import { serverAddress } from "../shared/prefix.ts";
import {
  type Answer,
  type Api,
  acceptsFile,
  codesIn,
  curlExample,
  fileExample,
  nameOf,
  type Operation,
  type Parameter,
  resolved,
  type Schema,
} from "./api.ts";
import { showPlace } from "./content.ts";
import { type Field, fieldsOf, membersOf, typeWords } from "./fields.ts";
import { CodeBox, Described, FieldList, Method, Type } from "./reference-parts.tsx";
import { strings } from "./strings.ts";

const words = strings.operation;
const places = ["path", "query", "header"] as const;

const asField = ({ name, required, description = "", schema, content }: Parameter): Field => {
  const whole = schema ?? content?.["application/json"]?.schema ?? {};
  return {
    name,
    type: typeWords(whole, false),
    description,
    isRequired: required,
    defaultValue: whole.default === undefined ? null : JSON.stringify(whole.default),
  };
};

/** One operation: what it does and takes on one side, calls and answers on the other. */
export const OperationView = ({ api, operation }: { api: Api; operation: Operation }) => {
  const { method, path, summary, description, parameters = [], requestBody, responses } = operation;
  const content = requestBody?.content ?? {};
  const json = content["application/json"]?.schema ?? content["application/x-ndjson"]?.schema;
  const hasFile = acceptsFile(api, operation);
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const example = answer === undefined ? null : exampleText(answer);
  return (
    <div class="operation">
      <article>
        <p class="trail">{operation.tags[0]}</p>
        <h1>{summary}</h1>
        <p class="address">
          <Method name={method} /> <code>{path}</code>
        </p>
        <p class="quiet">{words.access[operation["x-access"] ?? ""] ?? ""}</p>
        {description !== undefined && (
          <p>
            <Described text={description} />
          </p>
        )}
        {places.map((place) => {
          const listed = parameters.filter((parameter) => parameter.in === place);
          return (
            listed.length > 0 && (
              <section key={place}>
                <h2>{words[place]}</h2>
                <FieldList fields={listed.map(asField)} />
              </section>
            )
          );
        })}
        {requestBody !== undefined && (
          <section>
            <h2>{words.body}</h2>
            <p class="quiet">{words.bodyKinds(Object.keys(content).join(", "))}</p>
            {requestBody.description !== undefined && (
              <p>
                <Described text={requestBody.description} />
              </p>
            )}
            {json !== undefined && <FieldList fields={fieldsOf(resolved(api, json), true)} />}
            {hasFile && <p>{words.file}</p>}
          </section>
        )}
        <AnswerList api={api} responses={responses} />
        <ErrorList responses={responses} />
      </article>
      <aside>
        <CodeBox title={words.request} code={curlExample(operation, serverAddress())} />
        {hasFile && <CodeBox title={words.requestWithFile} code={fileExample(operation, serverAddress())} />}
        {example !== null && <CodeBox title={words.answer(status ?? "")} code={example} />}
      </aside>
    </div>
  );
};

/** What an answer looks like; null where nothing shows it. */
const exampleText = ({ content = {} }: Answer): string | null => {
  const example = (content["application/json"] ?? Object.values(content)[0])?.example;
  if (example === undefined) return null;
  return typeof example === "string" ? example.trimEnd() : JSON.stringify(example, null, 2);
};

/** The record that an answer is, or is a list of. */
const recordOf = (schema: Schema): Schema => (schema.type === "array" && schema.items ? schema.items : schema);

/** Answers that are no errors, with their fields. */
const AnswerList = ({ api, responses }: { api: Api; responses: Record<string, Answer> }) => {
  const answers = Object.entries(responses).filter(([status]) => status < "400");
  return (
    <section>
      <h2>{words.answers}</h2>
      {answers.map(([status, answer], at) => (
        <div key={status} class="answer-kind">
          <p>
            <strong>{status}</strong> <Described text={answer.description} />
          </p>
          {Object.entries(answer.content ?? {}).map(([mediaType, { schema = {} }]) => (
            <div key={mediaType}>
              <p class="quiet small">
                <code>{mediaType}</code> <Type words={typeWords(schema)} />
              </p>
              {/* The same record with another status is listed once. */}
              {at === 0 && <AnswerFields api={api} schema={schema} />}
            </div>
          ))}
        </div>
      ))}
    </section>
  );
};

const AnswerFields = ({ api, schema }: { api: Api; schema: Schema }) => (
  <>
    {membersOf(recordOf(schema)).map((member, at) => {
      const fields = fieldsOf(resolved(api, member), false);
      const name = nameOf(member);
      return (
        fields.length > 0 && (
          <details key={name ?? at}>
            <summary>{name === null ? words.fields : words.fieldsOf(name)}</summary>
            <FieldList fields={fields} />
          </details>
        )
      );
    })}
  </>
);

/** Errors by status; each code leads to what to do about it. */
const ErrorList = ({ responses }: { responses: Record<string, Answer> }) => {
  const failed = Object.entries(responses).filter(([status]) => status >= "400");
  return (
    <section>
      <h2>{strings.operation.errors}</h2>
      <dl class="error-codes">
        {failed.map(([status, { description }]) => {
          const codes = codesIn(description);
          return (
            <div key={status}>
              <dt>{status}</dt>
              <dd>
                {codes.length === 0
                  ? description
                  : codes.map(({ code, title }) => (
                      <p key={code}>
                        <a href={`/docs/errors#${code}`}>
                          <code>{code}</code>
                        </a>{" "}
                        {title}
                      </p>
                    ))}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
};

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
