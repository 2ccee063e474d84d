import { type Guide, sendGuides } from "../../shared/guides-partition.ts";
import { RequestFailure } from "../client.ts";
import { client } from "./session.ts";

/** Where this server has its own documentation; the page says so. */
const guidesPath = (): string => document.querySelector<HTMLElement>("#console")?.dataset.guides ?? "";

/**
 * Puts Carrel's own documentation into a partition, to be asked. Doing it again changes nothing but what is new.
 * @returns how many guides there are @throws RequestFailure, Unreachable
 */
export const loadGuides = async (): Promise<number> => {
  const guides = (await (await client.fetch(guidesPath())).json()) as Guide[];
  const problem = await sendGuides(guides, client.fetch);
  if (problem !== null) throw new RequestFailure(problem.status ?? 500, problem);
  return guides.length;
};
