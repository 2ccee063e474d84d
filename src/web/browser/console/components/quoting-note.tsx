import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { AnswerModel } from "../../shared/api.ts";
import { Select, writeTo } from "../../shared/controls.tsx";
import { markDone, stepsDone } from "../state/first-steps.ts";
import { useLoaded } from "../state/loaded.ts";
import { client, isOperator } from "../state/session.ts";
import { CodeBox } from "./facts.tsx";

const words = {
  title: "Answers are quoted",
  lead: "No model is configured to write them: Carrel shows the sentences that answer, word for word.",
  found: (model: string) => `An Ollama with ${model} answers on the server's machine and could write them.`,
  how: "How to have a model write them",
  ollamaModel: "llama3.2",
  ollama: (model: string) => `With Ollama, after \`ollama pull ${model}\`:`,
  ollamaHere: (address: string) => `With the Ollama that answers at ${address}:`,
  ollamaWithoutModel: (address: string, model: string) =>
    `An Ollama answers at ${address}, without a chat model. After \`ollama pull ${model}\`:`,
  model: "Model",
  openai: "With OpenAI, or a server that speaks its API (add its baseUrl):",
  openaiModel: "gpt-4.1-mini",
  where: "Write one of them into carrel.yaml and start Carrel again.",
  guide: "All about models",
  dismiss: "Do not show this again",
};

/**
 * That no model is configured and answers are quoted, with the lines that change it: for those who can. Once it was read
 * it is not said again in this browser, but where the settings are.
 * @param isKept in the settings, which know already that answers are quoted
 */
export const QuotingNote = ({ isKept = false }: { isKept?: boolean }) =>
  isOperator() && (isKept || !stepsDone.quotingRead.value) ? <LoadedNote isKept={isKept} /> : null;

const LoadedNote = ({ isKept }: { isKept: boolean }) => {
  const { value } = useLoaded((stop) => client.get<AnswerModel>("/api/settings/answer-model", {}, stop));
  if (value === undefined ? !isKept : value.provider !== "builtin") return null;
  const ollama = value?.ollama ?? null;
  const [model] = ollama?.models ?? [];
  return (
    <aside class="quoting-note" aria-label={words.title}>
      <p>
        <strong>{words.title}.</strong> {words.lead} {model !== undefined && words.found(model)}
      </p>
      <details>
        <summary>{words.how}</summary>
        <OllamaLines key={model} ollama={ollama} />
        <p>{words.openai}</p>
        {/* biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration reads the variable */}
        <CodeBox code={linesOf("openai", words.openaiModel, ', apiKey: "${OPENAI_API_KEY}"')} />
        <p>
          {words.where} <a href="/docs/guide/models">{words.guide}</a>
        </p>
      </details>
      {!isKept && (
        <button type="button" class="quiet dismiss" onClick={() => markDone("quotingRead")}>
          {words.dismiss}
        </button>
      )}
    </aside>
  );
};

const OllamaLines = ({ ollama }: Pick<AnswerModel, "ollama">) => {
  const id = useId();
  const models = ollama?.models ?? [];
  const chosen = useSignal(models[0] ?? words.ollamaModel);
  return (
    <>
      <p>
        {ollama === null
          ? words.ollama(words.ollamaModel)
          : models.length === 0
            ? words.ollamaWithoutModel(ollama.address, words.ollamaModel)
            : words.ollamaHere(ollama.address)}
      </p>
      {models.length > 1 && (
        <p class="quoting-choice">
          <label for={id}>{words.model}</label>
          <Select
            id={id}
            value={chosen.value}
            options={models.map((name) => [name, name])}
            onChoose={writeTo(chosen)}
          />
        </p>
      )}
      <CodeBox code={linesOf("ollama", chosen.value)} />
    </>
  );
};

const linesOf = (provider: string, model: string, more = ""): string =>
  `models:\n  answer: { provider: ${provider}, model: ${JSON.stringify(model)}${more} }`;
