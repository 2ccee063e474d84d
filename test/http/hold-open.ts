import { connect, type Socket } from "node:net";

interface HeldRequest {
  /** Empty: none is sent. */
  key: string;
  path: string;
  /** Lines of the head beside `Host` and `Authorization`. */
  headers: string;
  /** The body's beginning. */
  begun: Buffer | string;
}

/**
 * Begins a POST whose body does not go on; resolves a moment after its beginning was sent, when the server has it. The
 * caller destroys the socket.
 */
export const holdOpen = async (port: number, { key, path, headers, begun }: HeldRequest): Promise<Socket> => {
  const socket = connect({ host: "127.0.0.1", port });
  await new Promise((resolve) => socket.once("connect", resolve));
  const authorization = key === "" ? "" : `Authorization: Bearer ${key}\r\n`;
  socket.write(`POST ${path} HTTP/1.1\r\nHost: nas\r\n${authorization}${headers}\r\n\r\n`);
  socket.write(begun);
  await Bun.sleep(100);
  return socket;
};
