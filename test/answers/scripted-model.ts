import type { ChatEvent, ChatModel, ChatOptions, ChatTurn } from "../../providers/contract.ts";
import { estimateTokens } from "../../providers/tokens/estimate-tokens.ts";

/** What the model does when it is asked: pieces of an answer, failures, and what it waits for; then how it ends. */
export interface Script {
  steps: (string | Error | (() => Promise<unknown>))[];
  finishReason?: "stop" | "length" | "filtered";
  promptTokens?: number | null;
  outputTokens?: number | null;
  answeredBy?: string | null;
  isPromptCut?: true;
}

export interface ScriptedModel extends ChatModel {
  /** Prompts it was given, in order. */
  readonly prompts: (readonly ChatTurn[])[];
  /** What each of those calls asked for in place of the settings. */
  readonly options: (ChatOptions | undefined)[];
  /** How often somebody left before its end. */
  readonly stopped: number;
  contextSize: number;
  /** The next answers; the last one is repeated. */
  say(...scripts: Script[]): void;
}

/** A chat model that follows a script: what tests put in the place of a model server. */
export const createScriptedModel = (): ScriptedModel => {
  let scripts: Script[] = [{ steps: ["Nothing."] }];
  const prompts: (readonly ChatTurn[])[] = [];
  const asked: (ChatOptions | undefined)[] = [];
  let stopped = 0;

  const scripted: ScriptedModel = {
    provider: "scripted",
    model: "parrot",
    contextSize: 4096,
    prompts,
    options: asked,
    get stopped() {
      return stopped;
    },
    say(...next) {
      scripts = next;
    },
    async contextTokens() {
      return scripted.contextSize; // wrappers copy the members
    },
    estimateTokens,
    async *chat(turns, signal, options): AsyncGenerator<ChatEvent> {
      prompts.push(turns);
      asked.push(options);
      const script = scripts.length > 1 ? scripts.shift() : scripts[0];
      let ended = false;
      try {
        for (const step of script?.steps ?? []) {
          signal.throwIfAborted();
          if (step instanceof Error) {
            ended = true;
            throw step;
          }
          if (typeof step === "string") yield { type: "delta", text: step };
          else await Promise.race([step(), aborted(signal)]);
        }
        ended = true;
        yield {
          type: "done",
          finishReason: script?.finishReason ?? "stop",
          promptTokens: script?.promptTokens ?? null,
          outputTokens: script?.outputTokens ?? null,
          model: script?.answeredBy ?? null,
          ...(script?.isPromptCut === true ? { isPromptCut: true } : {}),
        };
      } finally {
        if (!ended) stopped++;
      }
    },
  };
  return scripted;
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
