import type { SettingSources } from "../../config/entry.ts";
import type { Config } from "../../config/schema.ts";
import { ApiError } from "../domain/errors.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { answerModelState, type FindOllama, listSettings } from "./list-settings.ts";
import {
  answerModelExample,
  answerModelSchema,
  settingsExample,
  settingsSchema,
  storageExample,
  storageSchema,
  trialBody,
  trialExample,
  trialSchema,
} from "./schema.ts";
import { measureStorage } from "./storage.ts";
import { configuredParts, type TriedParts, tryPart } from "./try-part.ts";

const tag = "Operation";
const forWhom = "With a key of role `admin` of the organization `default` that is not limited to a partition.";

export interface SettingsDependencies {
  config: Config;
  /** Where the settings were written. */
  settingSources: SettingSources;
  /** The settings file that was read, absolute; null for none. */
  settingsFile: string | null;
  /** Models and parsers that can be tried. */
  triedParts: TriedParts;
  /** Looks for an Ollama on this machine. */
  findOllama: FindOllama;
  /** Version of the program. */
  version: string;
}

/** `/api/settings`: what is in force on this server, and whether its models and parsers work. */
export const settingsEndpoints = ({
  config,
  settingSources,
  settingsFile,
  triedParts,
  findOllama,
  version,
}: SettingsDependencies): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/api/settings",
      operationId: "getSettings",
      access: "admin",
      wholeServer: true,
      tag,
      summary: "The settings in force",
      description: `Each with where it was written: a line of the file, an environment variable, or nowhere (the default). Secrets are hidden. ${forWhom}`,
      responses: { 200: settingsSchema },
      errors: [],
      example: { response: settingsExample },
      handle: () => ({
        version,
        file: settingsFile,
        settings: listSettings(config, settingSources),
        parts: configuredParts(config),
      }),
    }),
    endpoint({
      method: "GET",
      path: "/api/settings/answer-model",
      operationId: "getAnswerModel",
      access: "admin",
      wholeServer: true,
      tag,
      summary: "What writes the answers, and what could",
      description: `Where no model is configured, an Ollama is looked for on the server's own machine: for a second at most, once a minute. Nothing is configured by it. ${forWhom}`,
      responses: { 200: answerModelSchema },
      errors: [],
      example: { response: answerModelExample },
      handle: () => answerModelState(config, findOllama),
    }),
    endpoint({
      method: "GET",
      path: "/api/settings/storage",
      operationId: "getStorage",
      access: "admin",
      wholeServer: true,
      tag,
      summary: "What the data takes on the disk",
      description: forWhom,
      responses: { 200: storageSchema },
      errors: [],
      example: { response: storageExample },
      handle: ({ signal }) => measureStorage(config.dataDir, signal),
    }),
    endpoint({
      method: "POST",
      path: "/api/settings/try",
      operationId: "tryPart",
      access: "admin",
      wholeServer: true,
      tag,
      summary: "Try a model or parser",
      description: `With a few words or a sample page; takes up to 30 seconds. If the model fails, the answer says so. ${forWhom}`,
      body: trialBody,
      responses: { 200: trialSchema },
      errors: ["part_not_configured"],
      example: { request: { part: "answer" }, response: trialExample },
      async handle({ body, signal }) {
        const trial = await tryPart(body.part, config, triedParts, signal);
        if (trial === null)
          throw new ApiError("part_not_configured", `No ${body.part} is configured on this server.`, {
            errors: [{ path: "part", message: "is not configured" }],
          });
        return trial;
      },
    }),
  ] as Endpoint[];
