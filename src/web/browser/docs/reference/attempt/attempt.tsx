import { signal, useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { strings } from "../../strings.ts";
import type { Operation, Parameter } from "../api.ts";
import { CodeBox } from "../code-box.tsx";
import { bodyTypeOf, type Outcome } from "./send-attempt.ts";
import { useAttempt } from "./use-attempt.ts";

const words = strings.attempt;

/** The key that was typed, for all operations, until the page is left. It is stored nowhere. */
const typedKey = signal("");

/** The server names each request by itself. */
const requestId = "X-Request-Id";

const firstBody = ({ requestBody }: Operation): string => {
  const { example } = requestBody?.content["application/json"] ?? Object.values(requestBody?.content ?? {})[0] ?? {};
  if (example === undefined) return "";
  return typeof example === "string" ? example : JSON.stringify(example, null, 2);
};

/** Sends the operation to this server with what is typed in. */
export const Attempt = ({ operation, hasFile }: { operation: Operation; hasFile: boolean }) => {
  const { parameters = [], method } = operation;
  const values = useSignal<Record<string, string>>({});
  const body = useSignal(firstBody(operation));
  const file = useRef<HTMLInputElement>(null);
  const { isRunning, outcome, failure, stop, send } = useAttempt(operation);

  const submit = (event: Event): void => {
    event.preventDefault();
    void send({
      key: typedKey.value,
      values: values.value,
      body: body.value,
      file: file.current?.files?.[0] ?? null,
    });
  };
  const enter = (name: string, value: string): void => {
    values.value = { ...values.value, [name]: value };
  };
  const type = bodyTypeOf(operation);

  return (
    <details class="attempt">
      <summary>{words.title}</summary>
      <form onSubmit={submit}>
        {method !== "GET" && <p class="quiet small">{words.changes}</p>}
        {operation["x-access"] !== "open" && <KeyField />}
        <Inputs parameters={parameters.filter((each) => each.in !== "header")} onInput={enter} />
        {type !== null && (
          <label class="field">
            <span>
              {words.body} <code>{type}</code>
            </span>
            <textarea
              rows={Math.min(14, body.value.split("\n").length + 1)}
              spellcheck={false}
              value={body.value}
              onInput={(event) => {
                body.value = event.currentTarget.value;
              }}
            />
          </label>
        )}
        {hasFile && (
          <label class="field">
            <span>{words.file}</span>
            <input type="file" ref={file} />
          </label>
        )}
        <Inputs
          parameters={parameters.filter((each) => each.in === "header" && each.name !== requestId)}
          onInput={enter}
        />
        <p class="actions">
          <button type="submit" class="primary" disabled={isRunning}>
            {words.send}
          </button>
          {isRunning && (
            <button type="button" onClick={stop}>
              {words.stop}
            </button>
          )}
        </p>
      </form>
      <div role="status">
        {isRunning && <p class="quiet">{words.running}</p>}
        {failure !== "" && <p class="notice">{failure}</p>}
        {outcome !== null && <Shown outcome={outcome} />}
      </div>
    </details>
  );
};

const KeyField = () => {
  const id = useId();
  return (
    <label class="field">
      <span>{words.key}</span>
      <input
        type="password"
        autocomplete="off"
        value={typedKey.value}
        aria-describedby={`${id}-hint`}
        onInput={(event) => {
          typedKey.value = event.currentTarget.value;
        }}
      />
      <span class="quiet small" id={`${id}-hint`}>
        {words.keyHint}
      </span>
    </label>
  );
};

interface InputsProps {
  parameters: readonly Parameter[];
  onInput(name: string, value: string): void;
}

const Inputs = ({ parameters, onInput }: InputsProps) => (
  <>
    {parameters.map(({ name, required, schema }) => (
      <label class="field" key={name}>
        <span>
          <code>{name}</code>
          {required && <span class="required">{strings.operation.required}</span>}
        </span>
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          required={required}
          placeholder={schema?.default === undefined ? "" : String(schema.default)}
          onInput={(event) => onInput(name, event.currentTarget.value)}
        />
      </label>
    ))}
  </>
);

const Shown = ({ outcome: { status, text, bytes, mediaType, isCut } }: { outcome: Outcome }) =>
  text === null ? (
    <p>
      {words.answered(status)}: {words.bytes(bytes, mediaType)}
    </p>
  ) : (
    <>
      <CodeBox title={words.answered(status)} code={text} />
      {isCut && <p class="quiet small">{words.cut}</p>}
    </>
  );
