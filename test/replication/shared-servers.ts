import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import { Secret } from "../../config/secret.ts";
import { generateKey } from "../../src/access/key.ts";
import { bucket, type FakeS3, startFakeS3 } from "../fake-s3.ts";
import { startTestServer, type TestServer } from "../start-server.ts";

/** Servers that share one store in a bucket of an S3 server in memory. */
export interface SharedServers {
  s3: FakeS3;
  /** Starts another one, or one again on its folder. The first one writes. */
  start(folder?: string): Promise<TestServer>;
  newFolder(): Promise<string>;
  /** Ends all of it. */
  end(): Promise<void>;
}

export const sharedStoreAt = (s3: FakeS3, prefix = "store"): Partial<Config["store"]> => ({
  uri: `s3://${bucket}/${prefix}`,
  s3: {
    endpoint: s3.url,
    region: "us-east-1",
    accessKeyId: new Secret("id"),
    secretAccessKey: new Secret("secret"),
    timeoutMs: 5_000,
  },
});

export const createSharedServers = (): SharedServers => {
  const s3 = startFakeS3();
  const adminKey = generateKey();
  const folders: string[] = [];
  const running = new Set<TestServer>();
  const newFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), "carrel-shared-"));
    folders.push(folder);
    return folder;
  };
  return {
    s3,
    newFolder,
    async start(given) {
      const folder = given ?? (await newFolder());
      const server = await startTestServer({ store: sharedStoreAt(s3) }, { adminKey, isKept: true }, folder);
      const started: TestServer = {
        ...server,
        async stop() {
          running.delete(started);
          await server.stop();
        },
      };
      running.add(started);
      return started;
    },
    async end() {
      for (const server of [...running]) await server.stop();
      await s3.stop();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
};
