import type { SettingSources } from "../../config/entry.ts";
import { isFromFile, variableOf } from "../../config/environment.ts";
import { type Config, configSchema } from "../../config/schema.ts";
import { expectation, type Shape, settingsOf, shapeOf } from "../../config/shape.ts";
import { providers } from "../models/registry.ts";

/** A setting in force. */
export interface Setting {
  /** Its path, such as `server.port`. */
  name: string;
  /** The environment variable that sets it. */
  variable: string;
  /** Null where it is hidden. In lists, secrets are replaced by words. */
  value: unknown;
  default: unknown;
  source: "default" | "file" | "environment";
  /** `carrel.yaml:12` or the name of the variable; null for a default. */
  where: string | null;
  description: string;
  /** What it accepts, in words. */
  takes: string;
  /** It holds a secret, or came in a file as secrets do, and is set. */
  hidden: boolean;
}

const hiddenWords = "(hidden)";

/** Every setting in force, where it was written and what it does. Secrets are left out. */
export const listSettings = (config: Config, sources: SettingSources): Setting[] =>
  settingsOf(shapeOf(configSchema)).map(({ path, shape }) => {
    const name = path.join(".");
    const value = valueAt(config, path);
    const where = sources.get(name) ?? null;
    const isSecret = (shape.kind === "text" && shape.secrecy === "whole") || isFromFile(where);
    const hidden = isSecret && value !== null;
    return {
      name,
      variable: variableOf(path),
      value: hidden ? null : withoutSecrets(shape, value),
      default: shape.initial ?? null,
      // A variable's name holds no colon; a place in the file ends with one and the line.
      source: where === null ? "default" : where.includes(":") ? "file" : "environment",
      where,
      description: shape.description,
      takes: expectation(shape),
      hidden,
    };
  });

const valueAt = (config: Config, path: readonly string[]): unknown => {
  let value: unknown = config;
  for (const name of path) value = (value as Record<string, unknown>)[name];
  return value;
};

const withoutSecrets = (shape: Shape, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  if (shape.kind === "list") return (value as unknown[]).map((item) => withoutSecrets(shape.item, item));
  if (shape.kind === "section")
    return Object.fromEntries(
      [...shape.keys].map(([name, inner]) => [name, withoutSecrets(inner, (value as Record<string, unknown>)[name])]),
    );
  if (shape.kind === "object")
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutSecrets(shape.item, inner)]));
  if (shape.kind !== "text" || shape.secrecy === "none") return value;
  return shape.secrecy === "path" ? `${new URL(String(value)).origin}/…` : hiddenWords;
};

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
