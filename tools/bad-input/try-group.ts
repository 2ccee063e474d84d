import type { Group } from "./case.ts";
import { bodies } from "./cases/bodies.ts";
import { fields } from "./cases/fields.ts";
import { files } from "./cases/files.ts";
import { keys } from "./cases/keys.ts";
import { protocol } from "./cases/protocol.ts";
import { type Outcome, runCase } from "./run-case.ts";
import type { BadInputServer } from "./server.ts";

export interface Result extends Outcome {
  group: string;
  what: string;
}

export const groups: readonly Group[] = [protocol, keys, bodies, ...fields, files];

export const isInternalError = ({ status, code }: Outcome): boolean => status === 500 || code === "internal";

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Sends a group's inputs, those of HTTP itself at once, others one after the other. @throws where the server does not answer a question afterwards */
export const tryGroup = async (
  { title, cases }: Group,
  { url, place }: Pick<BadInputServer, "url" | "place">,
): Promise<Result[]> => {
  const results: Result[] = [];
  const inputs = cases(place);
  // What goes over a connection of its own may wait for a time limit of the server: these wait at once.
  const ofOwnConnection = new Map(
    inputs.filter(({ raw }) => raw !== undefined).map((input) => [input, runCase(url, place, input)]),
  );
  for (const input of inputs) {
    const outcome = await (ofOwnConnection.get(input) ?? runCase(url, place, input));
    results.push({ group: title, what: input.what, ...outcome, detail: outcome.detail.replaceAll(ids, "…") });
  }
  const json = { query: "How often is the pump serviced?" };
  const question = { what: "an ordinary question", method: "POST", path: "/api/query", json };
  const { status } = await runCase(url, place, question);
  if (status !== 200) throw new Error(`after ${title} an ordinary question got ${status}`);
  return results;
};
