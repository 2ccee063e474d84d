import { Type } from "@sinclair/typebox";
import { choiceField, nullable } from "../http/schema/fields.ts";
import type { AnswerModelState, Setting } from "./list-settings.ts";
import type { StorageUse } from "./storage.ts";
import { type Part, partNames, type Trial } from "./try-part.ts";

const anyValue = (description: string) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null(), Type.Array(Type.Unknown())], { description });

const settingSchema = Type.Object(
  {
    name: Type.String({ description: "Path of the setting, such as `server.port`." }),
    variable: Type.String({ description: "The environment variable that sets it." }),
    value: anyValue("The value; null where it is hidden. Secrets in lists are replaced by `(hidden)`."),
    default: anyValue("The value without file and environment."),
    source: choiceField(["default", "file", "environment"], { description: "Where the value comes from." }),
    where: nullable(Type.String({ description: "The line of the file, or the variable." })),
    description: Type.String({ description: "What it does." }),
    takes: Type.String({ description: "What it accepts, in words." }),
    hidden: Type.Boolean({ description: "Whether it holds a secret, which is set." }),
  },
  { $id: "Setting", description: "A setting in force." },
);

const part = {
  part: choiceField(partNames, {
    description:
      "`answer`, `embedding`, `reranker`: the models. `parser`: the built-in reader of files. `parserServer`: the Unstructured server.",
  }),
  provider: Type.String({ description: "Who provides it." }),
  model: nullable(Type.String({ description: "Name of the model." })),
};

const partSchema = Type.Object(part, { $id: "ConfiguredPart", description: "A model or parser in use." });

export const settingsSchema = Type.Object(
  {
    version: Type.String({ description: "Version of the program." }),
    file: nullable(Type.String({ description: "The settings file that was read; null where there was none." })),
    settings: Type.Array(settingSchema, { description: "In the order of the configuration." }),
    parts: Type.Array(partSchema, { description: "Models and parsers, which can be tried." }),
  },
  { $id: "Settings", description: "What is in force on this server." },
);

export const answerModelSchema = Type.Object(
  {
    provider: Type.String({ description: "Who writes the answers; `builtin` quotes." }),
    model: nullable(Type.String({ description: "Name of the model." })),
    ollama: nullable(
      Type.Object(
        {
          address: Type.String({ description: "Where it answers." }),
          models: Type.Array(Type.String(), { description: "Its chat models." }),
        },
        {
          description:
            "An Ollama on the server's own machine; null where none answers, or where a model is configured already.",
        },
      ),
    ),
  },
  { $id: "AnswerModel", description: "What writes the answers, and what could." },
);

export const storageSchema = Type.Object(
  {
    tables: Type.Integer({ description: "Bytes of tables and indexes." }),
    files: Type.Integer({ description: "Bytes of uploaded and fetched files." }),
    other: Type.Integer({ description: "Bytes of everything else in the data directory." }),
    free: nullable(Type.Integer({ description: "Bytes free on its disk." })),
    partial: Type.Boolean({ description: "Whether there is more than was counted." }),
  },
  { $id: "StorageUse", description: "What the data directory takes." },
);

export const trialBody = Type.Object(
  { part: choiceField(partNames, { description: "What to try; one of `parts` of `GET /api/settings`." }) },
  { $id: "TrialRequest" },
);

export const trialSchema = Type.Object(
  {
    ...part,
    status: choiceField(["ok", "warning", "failed"], {
      description: "`warning`: it works, but not as well as it could.",
    }),
    details: Type.Array(Type.String(), { description: "What was found, each with what to do about it." }),
    tookMs: Type.Integer({ description: "How long it took, in milliseconds." }),
  },
  { $id: "Trial", description: "What trying a model or parser showed." },
);

const settingExample: Setting = {
  name: "server.port",
  variable: "CARREL_SERVER_PORT",
  value: 8080,
  default: 7373,
  source: "file",
  where: "carrel.yaml:3",
  description: "Port to listen on. 0 takes any free port.",
  takes: "a whole number from 0 to 65535",
  hidden: false,
};
const partExample: Part = { part: "answer", provider: "ollama", model: "llama3.2" };
const trialExample: Trial = { ...partExample, status: "ok", details: ["Context: 8192 tokens."], tookMs: 412 };

export const settingsExample = {
  version: "0.1.0",
  file: "/etc/carrel/carrel.yaml",
  settings: [settingExample],
  parts: [partExample],
};
export const answerModelExample: AnswerModelState = {
  provider: "builtin",
  model: null,
  ollama: { address: "http://127.0.0.1:11434", models: ["llama3.2"] },
};
export const storageExample: StorageUse = {
  tables: 48_234_496,
  files: 120_586_240,
  other: 218_103_808,
  free: 52_428_800_000,
  partial: false,
};
export { trialExample };
