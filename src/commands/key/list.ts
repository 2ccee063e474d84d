import type { Environment } from "../../program/environment.ts";
import { type ClientOptions, openClient, readAll } from "../client/client.ts";
import { table } from "../output/table.ts";
import type { Key } from "./key.ts";

/** `carrel key list`: every key of the organization, newest first. */
export const listKeys = async (
  options: ClientOptions & { json?: boolean },
  environment: Environment,
): Promise<void> => {
  const client = await openClient(options, environment);
  try {
    const keys = await readAll<Key>(client, "/api/key");
    if (options.json === true) environment.write(`${JSON.stringify(keys, null, 2)}\n`);
    else
      environment.write(
        table(
          ["ID", "NAME", "ROLE", "USER", "PARTITION", "CREATED", "EXPIRES"],
          keys.map(({ id, name, role, userId, partitionId, createdAt, expiresAt }) => [
            id,
            name,
            role,
            userId,
            partitionId ?? "",
            createdAt,
            expiresAt ?? "",
          ]),
        ),
      );
  } finally {
    await client.close();
  }
};
