import { CommandFailure } from "../../domain/errors.ts";
import { jsonBody, type OperatorClient, readAnswer } from "./client.ts";

interface Partition {
  id: string;
  name: string;
}

const looksLikeId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** The partition with that id or name, if there is one. A name must match exactly. */
export const findPartition = async (client: OperatorClient, nameOrId: string): Promise<Partition | null> => {
  if (looksLikeId(nameOrId)) {
    const found = await client.send(`/api/partition/${nameOrId}`);
    if (found.status !== 404) return readAnswer<Partition>(found);
  }
  const limit = 100;
  for (let skip = 0; ; skip += limit) {
    const query = new URLSearchParams({ searchValue: nameOrId, limit: String(limit), skip: String(skip) });
    const page = await readAnswer<Partition[]>(await client.send(`/api/partition/search?${query}`));
    const found = page.find(({ name }) => name === nameOrId.trim());
    if (found !== undefined) return found;
    if (page.length < limit) return null;
  }
};

/** @throws CommandFailure where there is none */
export const needPartition = async (client: OperatorClient, nameOrId: string): Promise<Partition> => {
  const found = await findPartition(client, nameOrId);
  if (found === null) throw new CommandFailure(`There is no partition ${JSON.stringify(nameOrId)}.`);
  return found;
};

/** The partition with that id or name; a name that does not exist is made. */
export const choosePartition = async (client: OperatorClient, nameOrId: string): Promise<Partition> =>
  (looksLikeId(nameOrId) ? await findPartition(client, nameOrId) : null) ??
  (await readAnswer<Partition>(await client.send("/api/partition", jsonBody({ name: nameOrId }))));
