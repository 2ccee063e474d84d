import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../../config/schema.ts";
import { parseS3Address } from "../../config/values.ts";
import { createS3Calls, type S3Access, type S3Answer } from "../s3/calls.ts";

/** The bucket of a shared store cannot be used. The message says what to do next, and holds no secret. */
export class BucketFailure extends Error {
  override readonly name = "BucketFailure";
}

/** A bucket that several processes share one store by. Every method throws BucketFailure, or the signal's reason. */
export interface SharedBucket {
  /** As it is shown to people. */
  readonly name: string;
  read(object: string, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Writes an object unless there is one. @returns false where there is one, or a try of this call may have made it */
  create(object: string, bytes: Uint8Array, signal: AbortSignal): Promise<boolean>;
  /** @throws Error ENOENT where the file is gone */
  upload(object: string, path: string, signal: AbortSignal): Promise<void>;
  /** Writes a file as a whole or not at all. @returns false if there is no such object */
  download(object: string, path: string, bytes: number, signal: AbortSignal): Promise<boolean>;
  /** By name. @param pageSize fewer where not all are wanted */
  list(
    folder: string,
    signal: AbortSignal,
    pageSize?: number,
  ): AsyncIterable<{ name: string; bytes: number; modifiedAt: number }>;
  /** Does nothing if there is none. */
  remove(object: string, signal: AbortSignal): Promise<void>;
}

/** Of objects that are read into memory: the head, with the small files in it. */
const maxObjectBytes = 16 * 1024 * 1024;
/** A slow connection still sends so many bytes in a millisecond: added to the time limit of a file. */
const bytesPerMs = 500;
/** Of calls that others wait for: the head is small. */
const maxHeadMs = 5_000;

const openSharedBucket = (bucket: string, prefix: string, access: S3Access): SharedBucket => {
  const { name, attempt, list, persist, unusable, notFound } = createS3Calls({
    bucket,
    prefix,
    access,
    settings: "store.s3",
    maxObjectBytes,
    failure: (message) => new BucketFailure(message),
  });
  const timeoutMs = Math.min(access.timeoutMs, maxHeadMs);
  const forFile = (bytes: number): number => access.timeoutMs + Math.ceil(bytes / bytesPerMs);
  const wasWritten = (answer: S3Answer): boolean => {
    if (answer === null) throw unusable(notFound);
    return typeof answer !== "string";
  };

  return {
    name,
    list,
    async read(object, signal) {
      const answer = await persist(signal, () => attempt(object, { method: "GET", timeoutMs }, signal));
      return typeof answer === "string" ? null : answer;
    },
    async create(object, bytes, signal) {
      const request = { method: "PUT", body: bytes, headers: { "if-none-match": "*" }, timeoutMs } as const;
      return wasWritten(await persist(signal, () => attempt(object, request, signal)));
    },
    async upload(object, path, signal) {
      const file = Bun.file(path);
      const { size } = await file.stat();
      const request = { method: "PUT", body: file, timeoutMs: forFile(size) } as const;
      wasWritten(await persist(signal, () => attempt(object, request, signal)));
    },
    async download(object, path, bytes, signal) {
      const draft = `${path}.#${Bun.randomUUIDv7()}`;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const into = async (response: Response): Promise<void> => {
        await Bun.write(draft, response);
      };
      try {
        const request = { method: "GET", into, timeoutMs: forFile(bytes) } as const;
        const answer = await persist(signal, () => attempt(object, request, signal));
        if (answer === null) return false;
        await rename(draft, path);
        return true;
      } finally {
        await rm(draft, { force: true });
      }
    },
    async remove(object, signal) {
      await persist(signal, () => attempt(object, { method: "DELETE" }, signal));
    },
  };
};

/** The bucket of the settings. @throws BucketFailure that names what is missing */
export const configuredBucket = ({ uri, s3 }: Config["store"]): SharedBucket => {
  const address = parseS3Address(uri ?? "");
  if (address === null)
    throw new BucketFailure("store.uri is null or an address such as s3://bucket/prefix: no other store is known.");
  const { accessKeyId, secretAccessKey } = s3;
  if (accessKeyId === null || secretAccessKey === null)
    throw new BucketFailure(`${uri} needs keys: set store.s3.accessKeyId and store.s3.secretAccessKey.`);
  return openSharedBucket(address.bucket, address.prefix, {
    ...s3,
    accessKeyId: accessKeyId.reveal(),
    secretAccessKey: secretAccessKey.reveal(),
  });
};

const racers = 16;

/**
 * Races writes of one object that may only succeed once: a store that lets more than one win would lose what it acknowledged.
 * One after the other proves nothing.
 * @throws BucketFailure where not exactly one wins
 */
export const proveConditions = async (bucket: SharedBucket, signal: AbortSignal): Promise<void> => {
  const object = `races/${crypto.randomUUID()}`;
  try {
    const tries = Array.from({ length: racers }, (_, at) =>
      bucket.create(object, new TextEncoder().encode(`${at}`), signal),
    );
    const winners = (await Promise.all(tries)).filter((isWinner) => isWinner).length;
    if (winners !== 1)
      throw new BucketFailure(
        `${bucket.name} cannot hold a shared store: of ${racers} writes of one new object at the same time ${winners} succeeded, and 1 must. Use a store that keeps If-None-Match, such as Amazon S3, MinIO or Versity's gateway.`,
      );
  } finally {
    await bucket.remove(object, signal).catch(() => undefined);
  }
};
