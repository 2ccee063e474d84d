import { createS3Calls, notFound, unusable } from "./s3-calls.ts";
import type { BackupTarget, TargetObject } from "./target.ts";

interface S3Access {
  /** Null: Amazon's. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly timeoutMs: number;
}

/** A bucket as a target. Every call has a time limit; the addresses of calls hold a signature and are never shown. */
export const openS3Target = (bucket: string, prefix: string, access: S3Access): BackupTarget => {
  const { region, accessKeyId, secretAccessKey, timeoutMs } = access;
  const endpoint = access.endpoint ?? `https://s3.${region}.amazonaws.com`;
  const client = new Bun.S3Client({ bucket, region, endpoint, accessKeyId, secretAccessKey });
  const name = prefix === "" ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
  const keyOf = (object: string): string => (prefix === "" ? object : `${prefix}/${object}`);
  const { attempt, listPage, persist } = createS3Calls({ client, name, keyOf, timeoutMs });

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
      if ((await persist(signal, () => attempt("PUT", object, bytes, signal))) === null) throw unusable(name, notFound);
    },
    async remove(object, signal) {
      await persist(signal, () => attempt("DELETE", object, null, signal));
    },
    flush: async () => undefined, // what a bucket acknowledged is kept
    close: async () => undefined,
  };
};
