import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { ApiError } from "../../domain/errors.ts";
import { fetchFailed, shown } from "./contract.ts";

/** For `Accept-Encoding`: what `readBody` decompresses. */
export const acceptedEncodings = "gzip, deflate, br";

const maxEncodings = 2;

/**
 * The body of a response, decompressed. Stops at once when more than `maxBytes` arrived or were decompressed, so that
 * neither an endless body nor a decompression bomb fills the memory.
 * @throws ApiError 413 `document_too_large`, 422 `fetch_failed` for an unknown encoding
 */
export const readBody = (response: IncomingMessage, url: URL, maxBytes: number): Promise<Uint8Array> => {
  const tooLarge = () =>
    new ApiError(
      "document_too_large",
      `${shown(url)} is larger than ${maxBytes} bytes. Raise fetch.maxBytes to take it.`,
    );
  const declared = Number(response.headers["content-length"] ?? "0");
  if (declared > maxBytes) return Promise.reject(tooLarge());
  const encodings = (response.headers["content-encoding"] ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity")
    .reverse();
  if (encodings.length > maxEncodings) return Promise.reject(fetchFailed(url, "too many content encodings"));

  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let held = 0;
    const stages: Transform[] = [];
    const fail = (error: unknown) => {
      reject(error);
      response.destroy();
      for (const stage of stages) stage.destroy();
    };
    const finish = () => resolve(new Uint8Array(Buffer.concat(chunks)));
    const keep = (chunk: Uint8Array) => {
      held += chunk.length;
      if (held > maxBytes) fail(tooLarge());
      else chunks.push(chunk);
    };
    const start = (first: Uint8Array | null) => {
      for (const name of encodings) {
        const stage = decompressor(name, first);
        if (stage === null) return fail(fetchFailed(url, `content encoding "${name.slice(0, 20)}" is not known`));
        stages.push(stage);
      }
      stages.forEach((stage, index) => {
        stage.on("error", fail);
        const next = stages[index + 1];
        if (next) stage.pipe(next);
        else stage.on("data", keep).on("end", finish);
      });
    };

    let arrived = 0;
    let hasStarted = false;
    response.on("data", (chunk: Uint8Array) => {
      if (!hasStarted) {
        hasStarted = true;
        start(chunk);
      }
      arrived += chunk.length;
      if (arrived > maxBytes) return fail(tooLarge());
      const first = stages[0];
      if (!first) return keep(chunk);
      if (!first.destroyed && !first.write(chunk)) {
        response.pause();
        first.once("drain", () => response.resume());
      }
    });
    response.on("end", () => (stages[0] ? stages[0].end() : finish()));
    response.on("aborted", () => fail(fetchFailed(url, "the connection was cut off")));
    response.on("error", fail);
  });
};

const decompressor = (name: string, first: Uint8Array | null): Transform | null => {
  if (name === "gzip" || name === "x-gzip") return createGunzip();
  if (name === "br") return createBrotliDecompress();
  // RFC 9110 8.4.1.2: some servers send "deflate" without the zlib wrapper, whose first byte always ends in 8.
  if (name === "deflate") return ((first?.[0] ?? 8) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  return null;
};
