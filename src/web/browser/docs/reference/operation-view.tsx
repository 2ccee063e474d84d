import { serverAddress } from "../../shared/prefix.ts";
import { strings } from "../strings.ts";
import { AnswerList, exampleText } from "./answer-list.tsx";
import type { Api, Operation, Parameter } from "./api.ts";
import { resolved } from "./api.ts";
import { CodeBox } from "./code-box.tsx";
import { acceptsFile, curlExample, fileExample } from "./curl-example.ts";
import { ErrorList } from "./error-list.tsx";
import { FieldList } from "./field-list.tsx";
import { type Field, fieldsOf } from "./fields.ts";
import { typeWords } from "./type-words.ts";
import { Described, Method } from "./words.tsx";

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
