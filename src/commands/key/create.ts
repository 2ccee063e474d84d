import { CommandFailure, UsageFailure } from "../../domain/command-failure.ts";
import { createValidator } from "../../http/schema/validate.ts";
import { keyBody } from "../../keys/schema.ts";
import type { Environment } from "../../program/environment.ts";
import { type ClientOptions, jsonBody, type OperatorClient, openClient, readAnswer } from "../client/client.ts";
import { choosePartition } from "../client/partitions.ts";
import { table } from "../output/table.ts";

interface Key {
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
  json?: boolean;
}

/** The last moment that ISO 8601 writes with four digits of a year. */
const lastTime = Date.UTC(10_000, 0) - 1;

const expiryOf = (lifeMs: number | undefined): string | undefined => {
  if (lifeMs === undefined) return undefined;
  const time = Date.now() + lifeMs;
  if (time > lastTime)
    throw new UsageFailure("--expires lies beyond the year 9999: leave it out for a key that does not expire.");
  return new Date(time).toISOString();
};

/** Before anything is made: the organization and the partition of a key that is refused would be left behind. */
const checkFields = (fields: object): void => {
  try {
    createValidator(keyBody)(fields);
  } catch (error) {
    throw new CommandFailure((error as Error).message);
  }
};

/** `carrel key create`: the key alone on standard output, the rest beside it. */
export const createKey = async (options: CreateOptions, environment: Environment): Promise<void> => {
  const expiresAt = expiryOf(options.expires);
  const fields = {
    name: options.name,
    role: options.role,
    ...(options.user === undefined ? {} : { userId: options.user }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  checkFields(fields);
  const client = await openClient(options, environment, true);
  try {
    const partition = options.partition === undefined ? null : await choosePartition(client, options.partition);
    const body = { ...fields, ...(partition === null ? {} : { partitionId: partition.id }) };
    const made = await readAnswer<Key & { key: string }>(await client.send("/api/key", jsonBody(body)));
    if (options.json === true) environment.write(`${JSON.stringify(made)}\n`);
    else {
      const until = made.expiresAt === null ? "" : ` until ${made.expiresAt}`;
      environment.writeError(
        `${made.role === "admin" ? "An" : "A"} ${made.role} key for ${made.userId}${until}; its id is ${made.id}. It is shown only now:\n`,
      );
      environment.write(`${made.key}\n`);
    }
  } finally {
    await client.close();
  }
};

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

const readAll = async <T>(client: OperatorClient, path: string): Promise<T[]> => {
  const limit = 100;
  const all: T[] = [];
  for (;;) {
    const page = await readAnswer<T[]>(await client.send(`${path}?limit=${limit}&skip=${all.length}`));
    all.push(...page);
    if (page.length < limit) return all;
  }
};
