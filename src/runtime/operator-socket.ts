import { randomBytes } from "node:crypto";
import { lstat, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "../domain/errors.ts";

/** A Unix socket's address holds no more bytes than this: 104 on macOS, 108 on Linux, with a NUL at the end. */
const maxPathBytes = 103;

const socketName = "carrel.sock";

/** Where the running server of a data directory listens for its operator. */
export const socketPath = (dataDir: string): string => join(dataDir, socketName);

/**
 * Calls `use` with a path of the socket that is short enough to be an address: its own or, where that is too long, one
 * through a short link in the temporary folder, which is removed when `use` is done.
 * @throws Error where the path is too long and no link can be made
 */
const withShortPath = async <T>(dataDir: string, use: (path: string) => Promise<T> | T): Promise<T> => {
  const path = socketPath(dataDir);
  if (Buffer.byteLength(path) <= maxPathBytes) return use(path);
  const link = join(tmpdir(), `carrel-${randomBytes(6).toString("hex")}`);
  if (Buffer.byteLength(join(link, socketName)) > maxPathBytes)
    throw new Error(`the path ${path} is too long for a socket, and that of the temporary folder too`);
  await symlink(dataDir, link);
  try {
    return await use(join(link, socketName));
  } finally {
    await rm(link, { force: true });
  }
};

interface OperatorSocket {
  close(): Promise<void>;
}

/**
 * Listens on `<dataDir>/carrel.sock`, which only its owner may open. Call with the store's lock held: a socket at that
 * path is then left from a server that died.
 */
export const listenForOperator = async (
  dataDir: string,
  answer: (request: Request) => Promise<Response>,
): Promise<OperatorSocket> => {
  const path = socketPath(dataDir);
  await rm(path, { force: true });
  const server = await withShortPath(dataDir, (unix) => {
    // The mode must hold from the first moment; `listen` happens before this function returns.
    const before = process.umask(0o177);
    try {
      const options = {
        unix,
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        // Only its owner connects. `server.timeout` is not enough: Bun ends a request whose body waits to be read on a
        // Unix socket (seen with 1.4.5), as that of an import does while what came before it is stored.
        idleTimeout: 0,
        fetch: answer,
      };
      // Bun's types know no idle time of a Unix socket; Bun does.
      return Bun.serve(options as Omit<typeof options, "idleTimeout">);
    } finally {
      process.umask(before);
    }
  });
  return {
    async close() {
      await server.stop(true);
      await rm(path, { force: true });
    },
  };
};

/** @returns the answer; null where no server listens @throws what `fetch` throws once connected */
export const fetchFromSocket = async (
  dataDir: string,
  path: string,
  init: RequestInit & { timeout?: boolean },
): Promise<Response | null> => {
  const isThere = await lstat(socketPath(dataDir)).then(
    (found) => found.isSocket(),
    () => false,
  );
  if (!isThere) return null;
  try {
    return await withShortPath(dataDir, (unix) => fetch(`http://localhost${path}`, { ...init, unix }));
  } catch (error) {
    // A server that was killed left its socket behind.
    if (["ConnectionRefused", "ECONNREFUSED", "FailedToOpenSocket", "ENOENT"].includes(codeOf(error) ?? ""))
      return null;
    throw error;
  }
};
