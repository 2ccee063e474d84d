import type { Problem } from "../../shared/api.ts";
import { RequestFailure } from "../client.ts";
import { client } from "./session.ts";

interface Guide {
  externalId: string;
  name: string;
  text: string;
}

/** The partition that the guides go into. */
export const guidesPartition = "Carrel guides";

/** Where this server has its own documentation; the page says so. */
const guidesPath = (): string => document.querySelector<HTMLElement>("#console")?.dataset.guides ?? "";

/**
 * Puts Carrel's own documentation into a partition, to be asked. Doing it again changes nothing but what is new.
 * @returns how many guides there are @throws RequestFailure, Unreachable
 */
export const loadGuides = async (): Promise<number> => {
  const guides = (await (await client.fetch(guidesPath())).json()) as Guide[];
  const lines = guides.map(({ externalId, name, text }) =>
    JSON.stringify({ name, text, partition: guidesPartition, metadata: { externalId }, upsert: true }),
  );
  const answer = await client.fetch("/api/ingest/batch", {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
  for (const line of (await answer.text()).split("\n").filter((each) => each !== "")) {
    const { error } = JSON.parse(line) as { error?: Partial<Problem> };
    if (error !== undefined) throw new RequestFailure(error.status ?? 500, error);
  }
  return guides.length;
};
