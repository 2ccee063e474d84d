import type { Config } from "../../config/schema.ts";
import { providers } from "../models/registry.ts";

/** An Ollama that answers on this machine. */
interface LocalOllama {
  address: string;
  /** Its chat models, as the configuration names them. */
  models: string[];
}

export interface AnswerModelState {
  provider: Config["models"]["answer"]["provider"];
  model: string | null;
  /** Null where a model is configured already, or none answers. */
  ollama: LocalOllama | null;
}

/** Null: none answers. */
export type FindOllama = () => Promise<LocalOllama | null>;

/** Ollama's own address. It is looked for on this machine alone. */
const ollamaAddress = "http://127.0.0.1:11434";
const maxLookMs = 1_000;
const keptMs = 60_000;
/** Models that are asked what they are for. */
const maxModels = 30;

/** Looks for an Ollama, for a second at most; what was found counts for a minute. Nothing is configured by it. */
export const createOllamaFinder = (address = ollamaAddress, now = Date.now): FindOllama => {
  let last: { at: number; found: Promise<LocalOllama | null> } | null = null;
  return () => {
    if (last === null || now() - last.at >= keptMs) last = { at: now(), found: lookAt(address).catch(() => null) };
    return last.found;
  };
};

const lookAt = async (address: string): Promise<LocalOllama | null> => {
  const settings = { baseUrl: address, apiKey: null, timeoutMs: maxLookMs };
  const view = providers.answer.ollama?.view("answer", settings);
  if (view === undefined) return null;
  const limit = AbortSignal.timeout(maxLookMs);
  const offered = (await view.offered(limit)) ?? [];
  const kinds = await Promise.all(
    offered.slice(0, maxModels).map((model) =>
      view.factsOf(model, limit).then(
        ({ kind }) => ({ model, kind }),
        () => ({ model, kind: null }),
      ),
    ),
  );
  return { address, models: kinds.filter(({ kind }) => kind === "chat").map(({ model }) => model) };
};

/** What writes answers, and what could where nothing does. */
export const answerModelState = async (
  { models: { answer } }: Pick<Config, "models">,
  findOllama: FindOllama,
): Promise<AnswerModelState> => ({
  provider: answer.provider,
  model: answer.model,
  ollama: answer.provider === "builtin" ? await findOllama() : null,
});
