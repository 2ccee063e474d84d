import { pause } from "../../async/pause.ts";
import { BackupFailure } from "../backup-failure.ts";
import type { BackupTarget, TargetObject } from "./target.ts";

export interface S3Access {
  /** Null: Amazon's. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly timeoutMs: number;
}

/** A call that fails for a passing reason is made so often. */
const maxAttempts = 4;
const firstPauseMs = 500;
/** A signed address is valid for longer than any call takes. */
const validForSeconds = 3_600;
const maxErrorBytes = 64 * 1024;
const listedAtOnce = 1_000;

/** What a store answers when trying again helps. */
const isPassing = (status: number): boolean => status === 429 || status >= 500;

const codeIn = (body: string): string | null => /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(body)?.[1] ?? null;

const advice: Readonly<Record<string, string>> = {
  AccessDenied: "the keys do not allow it",
  InvalidAccessKeyId: "backup.s3.accessKeyId is unknown there",
  SignatureDoesNotMatch: "backup.s3.secretAccessKey is wrong",
  NoSuchBucket: "there is no such bucket",
  RequestTimeTooSkewed: "this machine's clock is wrong",
};

/** A bucket as a target. Every call has a time limit; the addresses of calls hold a signature and are never shown. */
export const openS3Target = (bucket: string, prefix: string, access: S3Access): BackupTarget => {
  const { region, accessKeyId, secretAccessKey, timeoutMs } = access;
  const endpoint = access.endpoint ?? `https://s3.${region}.amazonaws.com`;
  const client = new Bun.S3Client({ bucket, region, endpoint, accessKeyId, secretAccessKey });
  const name = prefix === "" ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
  const keyOf = (object: string): string => (prefix === "" ? object : `${prefix}/${object}`);
  const failure = (what: string): BackupFailure => new BackupFailure(`${name} cannot be used: ${what}.`);

  /** One attempt. @returns null if there is no such object; "again" if another attempt may succeed */
  const attempt = async (
    method: "GET" | "PUT" | "DELETE",
    object: string,
    body: Uint8Array | null,
    signal: AbortSignal,
  ): Promise<Uint8Array | null | { again: string }> => {
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(client.presign(keyOf(object), { method, expiresIn: validForSeconds }), {
        method,
        ...(body === null ? {} : { body }),
        redirect: "manual",
        signal: AbortSignal.any([signal, late]),
      });
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      const code = codeIn((await response.text()).slice(0, maxErrorBytes));
      if (response.status === 404 && code !== "NoSuchBucket") return null;
      const reason = advice[code ?? ""] ?? `it answered ${response.status}${code === null ? "" : ` ${code}`}`;
      if (isPassing(response.status)) return { again: reason };
      throw failure(reason);
    } catch (error) {
      if (signal.aborted || error instanceof BackupFailure) throw signal.aborted ? signal.reason : error;
      // The error's own words may hold the address.
      return { again: late.aborted ? `it did not answer within ${timeoutMs} ms` : "it cannot be reached" };
    }
  };

  /** Tries again while the reason may pass. */
  const persist = async <T>(signal: AbortSignal, work: () => Promise<T | { again: string }>): Promise<T> => {
    for (let count = 1; ; count += 1) {
      const result = await work();
      if (typeof result !== "object" || result === null || !("again" in result)) return result;
      if (count === maxAttempts) throw failure(result.again);
      await pause(firstPauseMs * 2 ** (count - 1), signal);
      signal.throwIfAborted();
    }
  };

  const listPage = async (
    folder: string,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<Bun.S3ListObjectsResponse | { again: string }> => {
    signal.throwIfAborted();
    const late = Promise.withResolvers<never>();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const onAbort = (): void => late.reject(limit.reason);
    limit.addEventListener("abort", onAbort, { once: true });
    if (limit.aborted) onAbort();
    try {
      const page = client.list({
        prefix: keyOf(`${folder}/`),
        maxKeys: listedAtOnce,
        ...(after ? { continuationToken: after } : {}),
      });
      page.catch(() => undefined); // it may fail when nobody waits any more
      return await Promise.race([page, late.promise]);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (limit.aborted) return { again: `it did not answer within ${timeoutMs} ms` };
      const { code } = error as { code?: unknown };
      const reason = typeof code === "string" ? advice[code] : undefined;
      if (reason !== undefined) throw failure(reason);
      const isAnswer = typeof code === "string" && /^[A-Za-z0-9]{1,64}$/.test(code) && code !== "ConnectionRefused";
      return { again: isAnswer ? `it answered ${code}` : "it cannot be reached" };
    } finally {
      limit.removeEventListener("abort", onAbort);
    }
  };

  async function* list(folder: string, signal: AbortSignal): AsyncGenerator<TargetObject> {
    let after: string | undefined;
    do {
      const page = await persist(signal, () => listPage(folder, after, signal));
      for (const { key, size, lastModified } of page.contents ?? []) {
        const object = prefix === "" ? key : key.slice(prefix.length + 1);
        yield { name: object, bytes: size ?? 0, modifiedAt: Date.parse(String(lastModified)) };
      }
      after = page.isTruncated === true ? page.nextContinuationToken : undefined;
    } while (after !== undefined);
  }

  return {
    name,
    list,
    read: (object, signal) => persist(signal, () => attempt("GET", object, null, signal)),
    async write(object, bytes, signal) {
      // A 404 of a write means that the bucket is gone.
      if ((await persist(signal, () => attempt("PUT", object, bytes, signal))) === null)
        throw failure("there is no such bucket");
    },
    async remove(object, signal) {
      await persist(signal, () => attempt("DELETE", object, null, signal));
    },
    flush: async () => undefined, // what a bucket acknowledged is kept
    close: async () => undefined,
  };
};
