import net from "node:net";
import { gzipSync } from "node:zlib";

/** A server that speaks raw TCP, for answers that no HTTP library would write. */
interface OddServer {
  url: string;
  /** Requests that came, by path. */
  paths: string[];
  /** What is written over each request but those that `isAside`; replaced between cases. */
  reply: (socket: net.Socket) => void;
  stop(): void;
}

/** @param aside answers of the calls beside the one under test, by path: as JSON */
export const startOddServer = async (aside: Record<string, unknown>): Promise<OddServer> => {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let received = "";
    socket.on("data", (piece) => {
      received += piece.toString("latin1");
      const end = received.indexOf("\r\n\r\n");
      const length = Number(/^content-length: (\d+)/im.exec(received)?.[1] ?? 0);
      if (end < 0 || received.length < end + 4 + length) return;
      const path = received.split(" ")[1] ?? "";
      received = "";
      odd.paths.push(path);
      if (path in aside) socket.end(answer(JSON.stringify(aside[path])));
      else odd.reply(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const odd: OddServer = {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    paths: [],
    reply: (socket) => socket.destroy(),
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return odd;
};

const answer = (body: string | Buffer, type = "application/json", more = "", status = "200 OK"): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\n${more}content-length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);

const page = "<html><body><h1>502 Bad Gateway</h1>nginx</body></html>";
const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** Writes until the other side has enough. */
const flood = (socket: net.Socket, piece: string): void => {
  const block = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  const write = (): void => {
    while (!socket.destroyed && socket.writable && socket.write(block));
  };
  socket.on("drain", write);
  write();
};

const drip = (socket: net.Socket, start: string, piece: string, everyMs: number): void => {
  socket.write(start);
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.on("close", () => clearInterval(timer));
};

/** Answers that are no answers, whatever was asked. `elsewhere` is another server, which must hear nothing. */
export const wireFaults = (elsewhere: () => string): Record<string, (socket: net.Socket) => void> => ({
  "closes before it answers": (socket) => socket.destroy(),
  "an empty body": (socket) => socket.end(answer("")),
  "an empty body without a length": (socket) => socket.end(`${head}connection: close\r\n\r\n`),
  "a page with status 200": (socket) => socket.end(answer(page, "text/html")),
  "a page said to be JSON": (socket) => socket.end(answer(page)),
  "a page with status 502": (socket) => socket.end(answer(page, "text/html", "", "502 Bad Gateway")),
  "JSON that breaks off": (socket) => socket.end(answer('{"embeddings":[[0.1,0.')),
  "204 without content": (socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"),
  "205 with content": (socket) => socket.end(answer("{", "application/json", "", "205 Reset Content")),
  "a change of protocol": (socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
  "provisional answers without end": (socket) => drip(socket, "", "HTTP/1.1 100 Continue\r\n\r\n", 20),
  "something that is not HTTP": (socket) => socket.end("220 mail.example ESMTP\r\n\r\n"),
  "headers without end": (socket) => flood(socket, `${head}x: ${"a".repeat(1_000)}\r\n`),
  "a body shorter than said": (socket) => socket.end(`${head}content-length: 99\r\n\r\n{"a":`),
  "a broken chunk": (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`),
  "chunks that end too soon": (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`),
  "broken gzip": (socket) => socket.end(answer("{}", "application/json", "content-encoding: gzip\r\n")),
  "gzip of a gigabyte": (socket) => socket.end(answer(bomb(), "application/json", "content-encoding: gzip\r\n")),
  "a line without end": (socket) => {
    socket.write(`${head}\r\n`);
    flood(socket, '{"message":{"content":"a');
  },
  "one byte at a time": (socket) => drip(socket, `${head}\r\n`, "[", 100),
  "a redirect to another server": (socket) =>
    socket.end(answer("", "text/plain", `location: ${elsewhere()}\r\n`, "307 Temporary Redirect")),
  "a redirect that forgets the method": (socket) =>
    socket.end(answer("", "text/plain", `location: ${elsewhere()}\r\n`, "302 Found")),
});

let made: Buffer | null = null;
/** A gigabyte of spaces in about a megabyte: eight streams one after another, as gzip allows. */
const bomb = (): Buffer => {
  made ??= (() => {
    const part = gzipSync(Buffer.alloc(128 * 1024 * 1024, " "), { level: 1 });
    return Buffer.concat(Array.from({ length: 8 }, () => part));
  })();
  return made;
};
