import { pause, unlessAborted } from "../async/waiting.ts";

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

/** What the codes of answers say, by the settings that are wrong. @param settings where they stand, as `backup.s3` */
const adviceFor = (settings: string): Readonly<Record<string, string>> => {
  const unknownKey = `${settings}.accessKeyId is unknown there`;
  const wrongRegion = `${settings}.region is not the region of the bucket`;
  return {
    AccessDenied: "the keys do not allow it",
    InvalidAccessKeyId: unknownKey,
    SignatureDoesNotMatch: `${settings}.secretAccessKey is wrong`,
    NoSuchBucket: "there is no such bucket",
    RequestTimeTooSkewed: "this machine's clock is wrong",
    AuthorizationHeaderMalformed: wrongRegion,
    AuthorizationQueryParametersError: wrongRegion,
    PermanentRedirect: wrongRegion,
    XAdminUserNotFound: unknownKey, // Versity's gateway, with a 404
  };
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

/** Why a call failed, where another attempt may succeed. */
interface TemporaryFailure {
  again: string;
}

export interface S3Access {
  /** Null: Amazon's. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly timeoutMs: number;
}

interface S3CallOptions {
  bucket: string;
  /** Before the names of all objects; empty for none. */
  prefix: string;
  access: S3Access;
  /** Where the settings of the access stand, as `backup.s3`. */
  settings: string;
  /** An object longer than that is read as an empty one: it is not what its name says. */
  maxObjectBytes: number;
  /** Makes the error of a sentence that names the bucket. */
  failure(message: string): Error;
}

interface S3Request {
  method: "GET" | "PUT" | "DELETE";
  body?: Uint8Array | Blob;
  headers?: Readonly<Record<string, string>>;
  /** Takes the answer's body in place of memory. */
  into?(response: Response): Promise<void>;
  /** Unless given, that of the access. */
  timeoutMs?: number;
}

/** The bytes of an object; `null`: there is no such object; `conflict`: a condition in the headers was not met. */
export type S3Answer = Uint8Array | null | "conflict";

interface S3Calls {
  /** Names the bucket and the prefix. */
  readonly name: string;
  /** One attempt. @throws what `failure` makes, the signal's reason */
  attempt(object: string, request: S3Request, signal: AbortSignal): Promise<S3Answer | TemporaryFailure>;
  /** The objects below a folder, by name; a page at a time. @param pageSize fewer where not all are wanted */
  list(
    folder: string,
    signal: AbortSignal,
    pageSize?: number,
  ): AsyncGenerator<{ name: string; bytes: number; modifiedAt: number }>;
  /** Tries again while the reason may pass. @throws what `failure` makes */
  persist<T>(signal: AbortSignal, work: () => Promise<T | TemporaryFailure>): Promise<T>;
  /** A failure that names the bucket. */
  unusable(what: string): Error;
  /** Says what to check where something is missing that no object can be: the bucket, or the server. */
  readonly notFound: string;
}

const isTemporaryFailure = (result: unknown): result is TemporaryFailure =>
  typeof result === "object" && result !== null && "again" in result;

/** The calls of a bucket, each with a time limit. The addresses of calls hold a signature and are never shown. */
export const createS3Calls = (options: S3CallOptions): S3Calls => {
  const { bucket, prefix, maxObjectBytes, settings, failure } = options;
  const { region, accessKeyId, secretAccessKey } = options.access;
  const endpoint = options.access.endpoint ?? `https://s3.${region}.amazonaws.com`;
  const client = new Bun.S3Client({ bucket, region, endpoint, accessKeyId, secretAccessKey });
  const name = prefix === "" ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
  const keyOf = (object: string): string => (prefix === "" ? object : `${prefix}/${object}`);
  const advice = adviceFor(settings);
  const notFound = `it answered 404; check the bucket and ${settings}.endpoint`;
  const unusable = (what: string): Error => failure(`${name} cannot be used: ${what}.`);
  /** Errors that stand for themselves: others may hold the address of a call. */
  const own = new WeakSet<Error>();
  const refuse = (what: string): Error => {
    const error = unusable(what);
    own.add(error);
    return error;
  };

  const answerOf = async (response: Response, { into }: S3Request): Promise<S3Answer | TemporaryFailure> => {
    if (response.ok) {
      if (into === undefined) return (await bytesOf(response, maxObjectBytes)) ?? new Uint8Array();
      await into(response);
      return new Uint8Array();
    }
    const code = codeIn(new TextDecoder().decode((await bytesOf(response, maxErrorBytes)) ?? undefined));
    // 409: two conditional writes of one object at the same time.
    if (response.status === 412 || response.status === 409) return "conflict";
    if (response.status === 404 && isMissingObject(code)) return null;
    const reason = advice[code ?? ""] ?? `it answered ${response.status}${code === null ? "" : ` ${code}`}`;
    if (isTemporary(response.status)) return { again: reason };
    throw refuse(reason);
  };

  const attempt: S3Calls["attempt"] = async (object, request, signal) => {
    const { method, body, headers } = request;
    const timeoutMs = request.timeoutMs ?? options.access.timeoutMs;
    const late = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(client.presign(keyOf(object), { method, expiresIn: validForSeconds }), {
        method,
        ...(body === undefined ? {} : { body }),
        ...(headers === undefined ? {} : { headers }),
        redirect: "manual",
        signal: AbortSignal.any([signal, late]),
      });
      return await answerOf(response, request);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof Error && (own.has(error) || isOfFile(error))) throw error;
      // The error's own words may hold the address.
      return { again: late.aborted ? `it did not answer within ${timeoutMs} ms` : "it cannot be reached" };
    }
  };

  const persist: S3Calls["persist"] = async (signal, work) => {
    for (let count = 1; ; count += 1) {
      const result = await work();
      if (!isTemporaryFailure(result)) return result;
      if (count === maxAttempts) throw unusable(result.again);
      await pause(firstPauseMs * 2 ** (count - 1), signal);
      signal.throwIfAborted();
    }
  };

  const listPage = async (
    folder: string,
    after: string | undefined,
    maxKeys: number,
    signal: AbortSignal,
  ): Promise<Bun.S3ListObjectsResponse | TemporaryFailure> => {
    signal.throwIfAborted();
    const { timeoutMs } = options.access;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const page = client.list({
        prefix: keyOf(`${folder}/`),
        maxKeys,
        ...(after ? { continuationToken: after } : {}),
      });
      return await unlessAborted(page, limit);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (limit.aborted) return { again: `it did not answer within ${timeoutMs} ms` };
      const { code } = error as { code?: unknown };
      // A list names no object: Bun calls so whatever answers 404 without a code.
      const reason = code === "NoSuchKey" ? notFound : typeof code === "string" ? advice[code] : undefined;
      if (reason !== undefined) throw unusable(reason);
      const isAnswer = typeof code === "string" && /^[A-Za-z0-9]{1,64}$/.test(code) && code !== "ConnectionRefused";
      return { again: isAnswer ? `it answered ${code}` : "it cannot be reached" };
    }
  };

  async function* list(folder: string, signal: AbortSignal, pageSize = maxKeysPerPage): ReturnType<S3Calls["list"]> {
    let after: string | undefined;
    do {
      const page = await persist(signal, () => listPage(folder, after, pageSize, signal));
      for (const { key, size, lastModified } of page.contents ?? []) {
        const object = prefix === "" ? key : key.slice(prefix.length + 1);
        yield { name: object, bytes: size ?? 0, modifiedAt: Date.parse(String(lastModified)) };
      }
      after = page.isTruncated === true ? page.nextContinuationToken : undefined;
    } while (after !== undefined);
  }

  return { name, attempt, list, persist, unusable, notFound };
};

/** A file of this machine could not be read or written: no fault of the bucket. */
const isOfFile = (error: Error): boolean => "syscall" in error && "path" in error && typeof error.path === "string";
