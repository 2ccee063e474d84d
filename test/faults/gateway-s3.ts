import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { join } from "node:path";
import { bucket, type FakeS3 } from "../fake-s3.ts";

/** A running S3 server over a folder in which each object is a file, such as Versity's gateway. */
export interface Gateway {
  url: string;
  folder: string;
}

/** The part of `FakeS3` that tests of faults use. */
export type FaultyS3 = Pick<FakeS3, "url" | "intervene" | "stop"> & { readonly objects: FakeS3["objects"] };

const objectsIn = (folder: string): FakeS3["objects"] => {
  const objects: FakeS3["objects"] = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const key = path.slice(folder.length + 1);
    if (!entry.isFile() || key.startsWith(".")) continue; // parts of uploads
    try {
      objects.set(key, { bytes: readFileSync(path), modifiedAt: statSync(path).mtime });
    } catch {
      // It was removed meanwhile.
    }
  }
  return objects;
};

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

/** Stands before a real S3 server, whose answers can be replaced or held back. Requests pass as they are: they are signed. */
export const startBeforeGateway = async ({ url, folder }: Gateway): Promise<FaultyS3> => {
  const objects = join(folder, bucket);
  if (!existsSync(objects)) mkdirSync(objects);
  const { hostname, port } = new URL(url);
  const s3 = { intervene: () => null } as unknown as FaultyS3;
  const server: Server = createServer(async (asked, answer) => {
    const body = await bodyOf(asked).catch(() => null);
    if (body === null) return;
    const instead = await s3.intervene(new Request(`${s3.url}${asked.url}`, { method: asked.method ?? "GET" }));
    if (instead !== null) {
      answer.writeHead(instead.status, { "content-type": "application/xml" });
      answer.end(await instead.text());
      return;
    }
    const passed = request(
      { host: hostname, port, method: asked.method, path: asked.url, headers: asked.headers },
      (given) => {
        answer.writeHead(given.statusCode ?? 500, given.headers);
        given.pipe(answer);
      },
    );
    passed.on("error", () => answer.destroy());
    passed.end(body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", () => listening()));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  Object.assign(s3, {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  });
  Object.defineProperty(s3, "objects", { get: () => objectsIn(objects) });
  return s3;
};
