import { strings } from "../strings.ts";
import type { Field } from "./fields.ts";
import { Described, Type } from "./words.tsx";

const words = strings.operation;

/** Fields or parameters with their types and what they do. */
export const FieldList = ({ fields }: { fields: readonly Field[] }) => (
  <dl class="fields">
    {fields.map((field) => (
      <div key={field.name}>
        <dt>
          <code>{field.name}</code> <Type words={field.type} />
          {field.isRequired && <span class="required">{words.required}</span>}
        </dt>
        <dd>
          <Described text={field.description} />
          {field.defaultValue !== null && (
            <>
              {" "}
              {words.defaultIs} <code>{field.defaultValue}</code>.
            </>
          )}
        </dd>
      </div>
    ))}
  </dl>
);
