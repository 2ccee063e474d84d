import { UsageFailure } from "../../domain/errors.ts";
import { createValidator } from "../../http/schema/validate.ts";
import { keyBody } from "../../keys/schema.ts";
import type { Environment } from "../../program/environment.ts";
import { type ClientOptions, jsonBody, type OperatorClient, readAnswer, withClient } from "../client/client.ts";
import { choosePartition, deleteRecord, looksLikeId, type Named, onlyNamed, readAll } from "../client/named-records.ts";
import { printResult, table } from "../output/output.ts";

/** A key as the API shows it. */
export interface Key {
  id: string;
  name: string;
  role: string;
  userId: string;
  partitionId: string | null;
  createdAt: string;
  expiresAt: string | null;
}

interface CreateOptions extends ClientOptions {
  name: string;
  role: string;
  user?: string;
  partition?: string;
  /** Milliseconds from now. */
  expires?: number;
  requestsPerMinute?: number;
  tokensPerDay?: number;
  maxDocuments?: number;
  maxBytes?: number;
}

/** The last time that ISO 8601 writes with a year of four digits. */
const lastTime = Date.UTC(10_000, 0) - 1;

const expiryOf = (lifeMs: number | undefined): string | undefined => {
  if (lifeMs === undefined) return undefined;
  const time = Date.now() + lifeMs;
  if (time > lastTime)
    throw new UsageFailure("--expires lies beyond the year 9999: leave it out for a key that does not expire.");
  return new Date(time).toISOString();
};

/** The limits that were given. */
const limitsIn = ({ requestsPerMinute, tokensPerDay, maxDocuments, maxBytes }: CreateOptions) =>
  Object.fromEntries(
    Object.entries({ requestsPerMinute, tokensPerDay, maxDocuments, maxBytes }).filter(
      ([, limit]) => limit !== undefined,
    ),
  );

/**
 * Checked before anything is made: otherwise a refused key would leave its organization and partition behind.
 * @throws UsageFailure: all of them are options
 */
const checkFields = (fields: object): void => {
  try {
    createValidator(keyBody)(fields);
  } catch (error) {
    throw new UsageFailure((error as Error).message);
  }
};

/** `carrel key create`: prints the key alone on standard output, the rest on standard error. */
export const createKey = async (options: CreateOptions, environment: Environment): Promise<void> => {
  const expiresAt = expiryOf(options.expires);
  const fields = {
    name: options.name,
    role: options.role,
    ...(options.user === undefined ? {} : { userId: options.user }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...limitsIn(options),
  };
  checkFields(fields);
  const make = async (client: OperatorClient): Promise<void> => {
    const partition = options.partition === undefined ? null : await choosePartition(client, options.partition);
    const body = { ...fields, ...(partition === null ? {} : { partitionId: partition.id }) };
    const made = await readAnswer<Key & { key: string }>(await client.send("/api/key", jsonBody(body)));
    if (options.json === true) environment.write(`${JSON.stringify(made)}\n`);
    else {
      const until = made.expiresAt === null ? "" : ` until ${made.expiresAt}`;
      environment.writeError(
        `${made.role === "admin" ? "An" : "A"} ${made.role} key for the user ${made.userId}${until}; its id is ${made.id}. It is shown only now:\n`,
      );
      environment.write(`${made.key}\n`);
    }
  };
  await withClient(options, environment, make, { makeOrganization: true });
};

/** `carrel key list`: every key of the organization, newest first. */
export const listKeys = (options: ClientOptions, environment: Environment): Promise<void> =>
  withClient(options, environment, async (client) =>
    printResult(
      await readAll<Key>(client, "/api/key"),
      keyTable(await readAll<Named>(client, "/api/partition")),
      options,
      environment,
    ),
  );

const keyTable =
  (partitions: readonly Named[]) =>
  (keys: readonly Key[]): string => {
    const names = new Map(partitions.map(({ id, name }) => [id, name]));
    return table(
      ["ID", "NAME", "ROLE", "USER", "PARTITION", "CREATED", "EXPIRES"],
      keys.map(({ id, name, role, userId, partitionId, createdAt, expiresAt }) => {
        const partition = partitionId === null ? "everything" : (names.get(partitionId) ?? partitionId);
        return [id, name, role, userId, partition, createdAt, expiresAt ?? "never"];
      }),
    );
  };

const findKeyId = async (client: OperatorClient, nameOrId: string): Promise<string> =>
  looksLikeId(nameOrId) ? nameOrId : onlyNamed("key", nameOrId, await readAll<Key>(client, "/api/key"));

/** `carrel key revoke`: the next request with the key is refused. */
export const revokeKey = (nameOrId: string, options: ClientOptions, environment: Environment): Promise<void> =>
  deleteRecord(
    { path: "/api/key", findId: (client) => findKeyId(client, nameOrId), done: "Revoked" },
    options,
    environment,
  );
