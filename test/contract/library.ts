import type { Config } from "../../config/schema.ts";
import { createScriptedModel, type ScriptedModel } from "../answers/scripted-model.ts";
import { expectOk } from "./expectations.ts";
import { type Answer, type Carrel, serveCarrel } from "./serve-carrel.ts";

type Json = Answer["body"];

/** Documents to ask about, on a server of any kind. */
interface Library {
  carrel: Carrel;
  ask(json: object, options?: object): Promise<Answer>;
  winter: Json;
  summer: Json;
}

/** The same documents on a server that quotes and on one whose scripted model writes. */
interface Libraries {
  quoting: Library;
  writing: Library;
  model: ScriptedModel;
  stop(): Promise<void>;
}

export const openLibraries = async (): Promise<Libraries> => {
  const model = createScriptedModel();
  const quoting = await openLibrary(await serveCarrel());
  const config = (settings: Config): void => {
    settings.models.answer.maxOutputTokens = 256;
  };
  const writing = await openLibrary(await serveCarrel({ config, parts: { answerModel: model } }));
  return {
    quoting,
    writing,
    model,
    async stop() {
      await quoting.carrel.stop();
      await writing.carrel.stop();
    },
  };
};

export const openLibrary = async (carrel: Carrel): Promise<Library> => {
  const ingest = async (json: object) => expectOk(await carrel.call("POST", "/api/ingest", { json }));
  const winter = await ingest({
    name: "Winter",
    text: "# Museum\n\n## Hours\n\nIn winter the museum opens at nine.",
    partition: "Winter",
    metadata: { source: "handbook", year: 2024, tags: "a'b" },
  });
  const summer = await ingest({
    name: "Summer",
    text: "In summer the museum opens at eight.",
    partition: "Summer",
    metadata: { source: "site", year: 2026 },
  });
  await ingest({ name: "Ferry", text: "The ferry to the island leaves every two hours from pier four." });
  return {
    carrel,
    winter,
    summer,
    ask: (json, options = {}) =>
      carrel.call("POST", "/api/query", { json: { query: "When does the museum open?", ...json }, ...options }),
  };
};
