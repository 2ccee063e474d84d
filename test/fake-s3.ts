import { atEnd } from "./at-end.ts";
/** An S3 server in memory: what Carrel calls of it. It checks no signature. */
export interface FakeS3 {
  url: string;
  objects: Map<string, { bytes: Uint8Array; modifiedAt: Date }>;
  /** Answers instead of the store; null: the store answers. */
  intervene: (request: Request) => Response | null | Promise<Response | null>;
  requests: string[];
  stop(): Promise<void>;
}

export const bucket = "vault";
/** Objects on a page of a list: several pages even for a small backup. */
const pageSize = 20;

const errorAnswer = (status: number, code: string): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`, { status });

export const s3Error = errorAnswer;

export const startFakeS3 = (): FakeS3 => {
  const objects: FakeS3["objects"] = new Map();
  const listAnswer = (query: URLSearchParams): Response => {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, Math.min(pageSize, Number(query.get("max-keys") ?? pageSize)));
    const contents = page.map((key) => {
      const { bytes, modifiedAt } = objects.get(key) ?? { bytes: new Uint8Array(), modifiedAt: new Date() };
      return `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>"x"</ETag><StorageClass>STANDARD</StorageClass></Contents>`;
    });
    const isCut = keys.length > page.length;
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    return new Response(
      `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${pageSize}</MaxKeys><IsTruncated>${isCut}</IsTruncated>${contents.join("")}${next}</ListBucketResult>`,
      { headers: { "content-type": "application/xml" } },
    );
  };
  const fake = { intervene: () => null, requests: [] } as unknown as FakeS3;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      fake.requests.push(`${request.method} ${pathname}`);
      const instead = await fake.intervene(request);
      if (instead !== null) return instead;
      const [, named, ...rest] = decodeURIComponent(pathname).split("/");
      if (named !== bucket) return errorAnswer(404, "NoSuchBucket");
      const key = rest.join("/");
      if (key === "") return listAnswer(searchParams);
      if (request.method === "PUT") {
        const bytes = await request.bytes();
        if (request.headers.get("if-none-match") === "*" && objects.has(key))
          return errorAnswer(412, "PreconditionFailed");
        objects.set(key, { bytes, modifiedAt: new Date() });
        return new Response();
      }
      if (request.method === "DELETE") {
        objects.delete(key);
        return new Response(null, { status: 204 });
      }
      const found = objects.get(key);
      return found === undefined ? errorAnswer(404, "NoSuchKey") : new Response(found.bytes as Uint8Array<ArrayBuffer>);
    },
  });
  return Object.assign(fake, { url: `http://127.0.0.1:${server.port}`, objects, stop: atEnd(() => server.stop(true)) });
};
