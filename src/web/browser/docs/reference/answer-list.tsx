import { strings } from "../strings.ts";
import { type Answer, type Api, nameOf, resolved, type Schema } from "./api.ts";
import { FieldList } from "./field-list.tsx";
import { fieldsOf } from "./fields.ts";
import { membersOf, typeWords } from "./type-words.ts";
import { Described, Type } from "./words.tsx";

const words = strings.operation;

/** What an answer looks like; null where nothing shows it. */
export const exampleText = ({ content = {} }: Answer): string | null => {
  const example = (content["application/json"] ?? Object.values(content)[0])?.example;
  if (example === undefined) return null;
  return typeof example === "string" ? example.trimEnd() : JSON.stringify(example, null, 2);
};

/** The record that an answer is, or is a list of. */
const recordOf = (schema: Schema): Schema => (schema.type === "array" && schema.items ? schema.items : schema);

/** Answers that are no errors, with their fields. */
export const AnswerList = ({ api, responses }: { api: Api; responses: Record<string, Answer> }) => {
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
