import { connect } from "node:net";

/** Sends bytes as they are and gives back what came until the other end was silent or closed; for what fetch cannot send. */
export function rawRequest(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect({ host: "127.0.0.1", port }, () => socket.write(request));
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
      const [head = "", body] = answer.split("\r\n\r\n");
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      const isHead = request.startsWith("HEAD ");
      if (body !== undefined && (isHead || (length !== undefined && body.length >= Number(length)))) socket.destroy();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}
