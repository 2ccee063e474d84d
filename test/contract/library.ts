import { expectOk } from "./expectations.ts";
import type { Answer, Carrel } from "./serve-carrel.ts";

type Json = Answer["body"];

/** Documents to ask about, on a server of any kind. */
export interface Library {
  carrel: Carrel;
  ask(json: object, options?: object): Promise<Answer>;
  winter: Json;
  summer: Json;
}

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
