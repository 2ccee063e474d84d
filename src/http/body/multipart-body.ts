import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { FileInfo } from "busboy";
import type { Held } from "../../async/in-flight.ts";
import { invalidField } from "../../domain/errors.ts";
import type { BlobStore } from "../../store/contract.ts";
import type { Pace } from "./arriving-body.ts";
import { declaredBytes, limitedChunks } from "./byte-limit.ts";
import { type HeldFile, holdFile } from "./held-file.ts";
import { parseMediaType } from "./media-type.ts";
import { drained, openParser, toMalformed, tooManyFields } from "./multipart-parser.ts";
import { withUnnamedFiles } from "./unnamed-file.ts";

interface MultipartBody {
  /** Fields in the order sent, and other parts of JSON than `file`. Bytes that are not UTF-8 have become U+FFFD. */
  entries: [string, string][];
  file: HeldFile | null;
  /** Names of the other parts that came as files; their content is not kept. */
  otherFiles: string[];
}

export interface MultipartOptions {
  maxBodyBytes: number;
  maxDocumentBytes: number;
  /** How fast the body must come; null over the operator's socket. */
  pace: Pace | null;
  /** Where the part named `file` is stored; null where the operation takes no file: the part is skipped. */
  blobs: Pick<BlobStore, "put" | "release"> | null;
  /** Counts what is held in memory: the fields, not the bytes of files. */
  held: Pick<Held, "add" | "drop">;
}

/**
 * Reads `multipart/form-data` as it arrives: fields into memory, the part named `file` straight into the blob folder.
 * Where it throws, it keeps no file.
 * @throws ApiError malformed_body, body_too_large, body_too_slow, document_too_large, overloaded
 */
export const readMultipart = async (request: Request, options: MultipartOptions): Promise<MultipartBody> => {
  const form = openParser(request, options.maxBodyBytes);
  const entries: [string, string][] = [];
  const otherFiles: string[] = [];
  let upload: Promise<HeldFile> | null = null;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const fail = (error: unknown) => failed.reject(toMalformed(error));
  const finished = new Promise<void>((resolve) => form.once("close", resolve));

  form.on("error", fail);
  form.on("fieldsLimit", () => fail(tooManyFields()));
  form.on("partsLimit", () => fail(tooManyFields()));
  form.on("field", (name, value) => entries.push([name, value]));
  form.on("file", (name, stream, info) => {
    stream.on("error", () => {});
    if (name === "file" && options.blobs !== null) {
      if (upload === null) {
        upload = store(stream, info, options.blobs, { ...options, declaredBytes: declaredBytes(request) ?? 0 });
        upload.catch(fail);
        return;
      }
      fail(invalidField("file", "is given more than once"));
    }
    if (name !== "file" && isJsonField(info)) {
      const chunks: Uint8Array[] = [];
      stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      stream.on("end", () => entries.push([name, Buffer.concat(chunks).toString("utf8")]));
      return;
    }
    otherFiles.push(name);
    stream.on("data", (chunk: Uint8Array) => options.held.drop(chunk.byteLength));
  });

  const boundary = parseMediaType(request.headers.get("content-type"))?.parameters.boundary ?? "";
  try {
    const limit = { maxBytes: options.maxBodyBytes, pace: options.pace, held: options.held };
    for await (const chunk of withUnnamedFiles(limitedChunks(request, limit), boundary)) {
      if (!form.write(chunk)) await Promise.race([drained(form), failed.promise]);
    }
    form.end();
    await Promise.race([finished, failed.promise]);
    const file = await (upload as Promise<HeldFile> | null);
    if (file !== null && file.bytes === 0 && file.name === null) {
      // Browsers send this for a file field that was left empty.
      await file.settle();
      return { entries, file: null, otherFiles };
    }
    return { entries, file, otherFiles };
  } catch (error) {
    form.destroy();
    const file = await (upload as Promise<HeldFile> | null)?.catch(() => null);
    await file?.settle();
    throw error;
  }
};

/**
 * A field that has a file name all the same: `form.append("metadata", new Blob([json], { type: "application/json" }))`
 * sends `filename="blob"`.
 */
const isJsonField = ({ mimeType }: FileInfo): boolean => mimeType === "application/json";

const store = async (
  stream: Readable,
  info: FileInfo,
  blobs: Pick<BlobStore, "put" | "release">,
  options: Pick<MultipartOptions, "maxDocumentBytes" | "held"> & { declaredBytes: number },
): Promise<HeldFile> => {
  const source = Readable.toWeb(stream) as NodeReadableStream<Uint8Array> as ReadableStream<Uint8Array>;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      options.held.drop(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  const { hash, bytes } = await blobs.put(source.pipeThrough(counted), options.maxDocumentBytes, options.declaredBytes);
  return holdFile(blobs, {
    name: info.filename || null,
    // Clients declare this for files of unknown type.
    mimeType: info.mimeType === "application/octet-stream" ? null : info.mimeType,
    hash,
    bytes,
  });
};
