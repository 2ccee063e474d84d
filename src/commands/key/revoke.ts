import type { Environment } from "../../program/environment.ts";
import { type ClientOptions, openClient, readAnswer } from "../client/client.ts";

/** `carrel key revoke`: the next request with the key is refused. */
export const revokeKey = async (
  id: string,
  options: ClientOptions & { json?: boolean },
  environment: Environment,
): Promise<void> => {
  const client = await openClient(options, environment);
  try {
    const answer = await readAnswer(await client.send(`/api/key/${encodeURIComponent(id)}`, { method: "DELETE" }));
    environment.write(options.json === true ? `${JSON.stringify(answer)}\n` : `Revoked ${id}\n`);
  } finally {
    await client.close();
  }
};
