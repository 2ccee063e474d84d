import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { copyText } from "../shared/controls.tsx";
import type { Field, TypeWord } from "./fields.ts";
import { strings } from "./strings.ts";

/** A description: what stands between backticks is code. */
export const Described = ({ text }: { text: string }) => (
  <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
);

/** A type; records lead to their place. */
export const Type = ({ words }: { words: readonly TypeWord[] }) => (
  <span class="type">
    {words.map((word, at) => (
      <Fragment key={at}>
        {typeof word === "string" ? word : <a href={`/docs/reference/records#${word.record}`}>{word.record}</a>}
      </Fragment>
    ))}
  </span>
);

/** A method, in a width of its own. */
export const Method = ({ name }: { name: string }) => <span class={`method ${name.toLowerCase()}`}>{name}</span>;

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

const shownMs = 2_000;

interface CodeBoxProps {
  title: string;
  code: string;
}

/** A text to copy, with a title: a call, an answer. */
export const CodeBox = ({ title, code }: CodeBoxProps) => {
  const isCopied = useSignal(false);
  const copy = async () => {
    if (!(await copyText(code))) return;
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, shownMs);
  };
  return (
    <figure class="code-box">
      <figcaption>
        <span>{title}</span>
        <button type="button" class="quiet" onClick={copy} aria-label={`${strings.operation.copy}: ${title}`}>
          <span aria-live="polite">{isCopied.value ? strings.operation.copied : strings.operation.copy}</span>
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled to by keyboard */}
      <pre tabIndex={0} dir="ltr">
        <code>{code}</code>
      </pre>
    </figure>
  );
};
