import { CommandFailure } from "../../domain/errors.ts";
import type { Environment } from "../../program/environment.ts";
import { type ClientOptions, jsonBody, type OperatorClient, readAnswer, withClient } from "./client.ts";

/** All records of a list, page by page; `most` or some more where there are more. */
export const readAll = async <T>(
  client: OperatorClient,
  path: string,
  query: Readonly<Record<string, string>> = {},
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> => {
  const all: T[] = [];
  for await (const page of readPages<T>(client, path, query)) {
    all.push(...page);
    if (all.length >= most) break;
  }
  return all;
};

/** The pages of a list, until the last. */
export async function* readPages<T>(
  client: OperatorClient,
  path: string,
  query: Readonly<Record<string, string>> = {},
): AsyncGenerator<T[]> {
  const limit = 100;
  for (let skip = 0; ; skip += limit) {
    const all = new URLSearchParams({ ...query, limit: String(limit), skip: String(skip) });
    const page = await readAnswer<T[]>(await client.send(`${path}?${all}`));
    yield page;
    if (page.length < limit) return;
  }
}

export interface Named {
  id: string;
  name: string;
}

export const looksLikeId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** The partition with that id or name, if there is one. A name must match exactly. */
export const findPartition = async (client: OperatorClient, nameOrId: string): Promise<Named | null> => {
  if (looksLikeId(nameOrId)) {
    const found = await client.send(`/api/partition/${nameOrId}`);
    if (found.status !== 404) return readAnswer<Named>(found);
  }
  return await partitionNamed(client, nameOrId);
};

/** The partition with that name, whatever it looks like. */
export const partitionNamed = async (client: OperatorClient, wanted: string): Promise<Named | null> => {
  for await (const page of readPages<Named>(client, "/api/partition/search", { searchValue: wanted })) {
    const found = page.find(({ name }) => name === wanted.trim());
    if (found !== undefined) return found;
  }
  return null;
};

/**
 * The id of a record that is named by its id, or by its name where only one has it.
 * @param what such as "document"
 * @param named records whose names may be that one
 * @throws CommandFailure where none has the name, or several have it
 */
export const onlyNamed = (what: string, nameOrId: string, named: readonly Named[]): string => {
  const found = named.filter(({ name }) => name === nameOrId.trim());
  const [only] = found;
  if (only === undefined) throw new CommandFailure(`There is no ${what} ${JSON.stringify(nameOrId)}.`);
  if (found.length > 1) {
    const ids = found.slice(0, maxShown).map(({ id }) => id);
    const more = found.length > maxShown ? `, and ${found.length - maxShown} more` : "";
    throw new CommandFailure(
      `${found.length} ${what}s are called ${JSON.stringify(nameOrId)}: name one by its id (${ids.join(", ")}${more}).`,
    );
  }
  return only.id;
};

const maxShown = 5;

/** The id of a document by its id, or by its name where it is unique. @throws CommandFailure as `onlyNamed` */
export const findDocumentId = async (client: OperatorClient, nameOrId: string): Promise<string> => {
  if (looksLikeId(nameOrId)) return nameOrId;
  const named = await readAll<Named>(client, "/api/document", { searchValue: nameOrId.trim().slice(0, 255) });
  return onlyNamed("document", nameOrId, named);
};

/** @throws CommandFailure where there is none */
export const needPartition = async (client: OperatorClient, nameOrId: string): Promise<Named> => {
  const found = await findPartition(client, nameOrId);
  if (found === null) throw new CommandFailure(`There is no partition ${JSON.stringify(nameOrId)}.`);
  return found;
};

/** The partition with that id or name; a name that does not exist is made. */
export const choosePartition = async (client: OperatorClient, nameOrId: string): Promise<Named> =>
  (looksLikeId(nameOrId) ? await findPartition(client, nameOrId) : null) ??
  (await readAnswer<Named>(await client.send("/api/partition", jsonBody({ name: nameOrId }))));

/**
 * Deletes a record, and prints what the API answers or a line.
 * @param path of the records, such as `/api/key`
 * @param findId its id by what the command was given
 * @param done what was done with it, such as `Revoked`
 */
export const deleteRecord = async (
  { path, findId, done }: { path: string; findId(client: OperatorClient): Promise<string>; done: string },
  options: ClientOptions,
  environment: Environment,
): Promise<void> =>
  withClient(options, environment, async (client) => {
    const id = await findId(client);
    const answer = await readAnswer(await client.send(`${path}/${id}`, { method: "DELETE" }));
    environment.write(options.json === true ? `${JSON.stringify(answer)}\n` : `${done} ${id}\n`);
  });
