import type { Problem } from "./api.ts";

/** A page of Carrel's own documentation, as this server carries it (src/web/read-guides.ts). */
export interface Guide {
  slug: string;
  title: string;
  group: string;
  externalId: string;
  name: string;
  /** Markdown. */
  text: string;
}

/** The partition that the guides go into. */
const guidesPartition = "Carrel guides";

/**
 * Puts the guides into their partition, to be asked. Doing it again changes nothing but what is new.
 * @param send a request of whoever is signed in @returns the first problem, if a guide was not taken
 */
export const sendGuides = async (
  guides: readonly Guide[],
  send: (path: string, init: RequestInit) => Promise<Response>,
): Promise<Partial<Problem> | null> => {
  const lines = guides.map(({ externalId, name, text }) =>
    JSON.stringify({ name, text, partition: guidesPartition, metadata: { externalId }, upsert: true }),
  );
  const answer = await send("/api/ingest/batch", {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
  for (const line of (await answer.text()).split("\n").filter((each) => each !== "")) {
    const { error } = JSON.parse(line) as { error?: Partial<Problem> };
    if (error !== undefined) return error;
  }
  return null;
};
