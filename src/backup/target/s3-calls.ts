import { pause, unlessAborted } from "../../async/waiting.ts";
import { BackupFailure, maxObjectBytes } from "./target.ts";

/** Number of attempts of a call that fails for a temporary reason. */
const maxAttempts = 4;
const firstPauseMs = 500;
/** A signed address is valid for longer than any call takes. */
const validForSeconds = 3_600;
const maxErrorBytes = 64 * 1024;
const maxKeysPerPage = 1_000;

/** What a store answers when trying again helps. */
const isTemporary = (status: number): boolean => status === 429 || status >= 500;

const codeIn = (body: string): string | null => /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(body)?.[1] ?? null;

/** A 404 where no object can be missing: what answers knows no bucket, or is no S3 server at all. */
export const notFound = "it answered 404; check the bucket and backup.s3.endpoint";

const unknownKey = "backup.s3.accessKeyId is unknown there";
const wrongRegion = "backup.s3.region is not the region of the bucket";

const advice: Readonly<Record<string, string>> = {
  AccessDenied: "the keys do not allow it",
  InvalidAccessKeyId: unknownKey,
  SignatureDoesNotMatch: "backup.s3.secretAccessKey is wrong",
  NoSuchBucket: "there is no such bucket",
  RequestTimeTooSkewed: "this machine's clock is wrong",
  AuthorizationHeaderMalformed: wrongRegion,
  AuthorizationQueryParametersError: wrongRegion,
  PermanentRedirect: wrongRegion,
  XAdminUserNotFound: unknownKey, // Versity's gateway, with a 404
};

/** What a 404 says where an object is missing, not the bucket or the server: some servers send no code. */
const isMissingObject = (code: string | null): boolean => code === null || /^NoSuch(Key|Version)$/.test(code);

/** The body of an answer; null where it is longer. The rest is not received. */
const bytesOf = async (response: Response, maxBytes: number): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** A failure that names the bucket. */
export const unusable = (name: string, what: string): BackupFailure =>
  new BackupFailure(`${name} cannot be used: ${what}.`);

/** Why a call failed, where another attempt may succeed. */
interface TemporaryFailure {
  again: string;
}

interface S3CallOptions {
  client: Bun.S3Client;
  /** Names the bucket in errors. */
  name: string;
  /** The key of an object in the bucket. */
  keyOf(object: string): string;
  timeoutMs: number;
}

interface S3Calls {
  /** One attempt. @returns null if there is no such object */
  attempt(
    method: "GET" | "PUT" | "DELETE",
    object: string,
    body: Uint8Array | null,
    signal: AbortSignal,
  ): Promise<Uint8Array | null | TemporaryFailure>;
  /** One attempt to list a page of a folder. @param after the token of the page before */
  listPage(
    folder: string,
    after: string | undefined,
    signal: AbortSignal,
  ): Promise<Bun.S3ListObjectsResponse | TemporaryFailure>;
  /** Tries again while the reason may pass. @throws BackupFailure */
  persist<T>(signal: AbortSignal, work: () => Promise<T | TemporaryFailure>): Promise<T>;
}

/** The calls of a bucket, each with a time limit. */
export const createS3Calls = ({ client, name, keyOf, timeoutMs }: S3CallOptions): S3Calls => {
  const attempt: S3Calls["attempt"] = async (method, object, body, signal) => {
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(client.presign(keyOf(object), { method, expiresIn: validForSeconds }), {
        method,
        ...(body === null ? {} : { body }),
        redirect: "manual",
        signal: AbortSignal.any([signal, late]),
      });
      if (response.ok) return (await bytesOf(response, maxObjectBytes)) ?? new Uint8Array();
      const code = codeIn(new TextDecoder().decode((await bytesOf(response, maxErrorBytes)) ?? undefined));
      if (response.status === 404 && isMissingObject(code)) return null;
      const reason = advice[code ?? ""] ?? `it answered ${response.status}${code === null ? "" : ` ${code}`}`;
      if (isTemporary(response.status)) return { again: reason };
      throw unusable(name, reason);
    } catch (error) {
      if (signal.aborted || error instanceof BackupFailure) throw signal.aborted ? signal.reason : error;
      // The error's own words may hold the address.
      return { again: late.aborted ? `it did not answer within ${timeoutMs} ms` : "it cannot be reached" };
    }
  };

  const persist = async <T>(signal: AbortSignal, work: () => Promise<T | TemporaryFailure>): Promise<T> => {
    for (let count = 1; ; count += 1) {
      const result = await work();
      if (typeof result !== "object" || result === null || !("again" in result)) return result;
      if (count === maxAttempts) throw unusable(name, result.again);
      await pause(firstPauseMs * 2 ** (count - 1), signal);
      signal.throwIfAborted();
    }
  };

  const listPage: S3Calls["listPage"] = async (folder, after, signal) => {
    signal.throwIfAborted();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const page = client.list({
        prefix: keyOf(`${folder}/`),
        maxKeys: maxKeysPerPage,
        ...(after ? { continuationToken: after } : {}),
      });
      return await unlessAborted(page, limit);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (limit.aborted) return { again: `it did not answer within ${timeoutMs} ms` };
      const { code } = error as { code?: unknown };
      // A list names no object: Bun calls so whatever answers 404 without a code.
      const reason = code === "NoSuchKey" ? notFound : typeof code === "string" ? advice[code] : undefined;
      if (reason !== undefined) throw unusable(name, reason);
      const isAnswer = typeof code === "string" && /^[A-Za-z0-9]{1,64}$/.test(code) && code !== "ConnectionRefused";
      return { again: isAnswer ? `it answered ${code}` : "it cannot be reached" };
    }
  };

  return { attempt, listPage, persist };
};
