import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { FileInfo } from "busboy";
import busboy from "busboy";
import type { Held } from "../../async/in-flight.ts";
import { ApiError, invalidField } from "../../domain/errors.ts";
import type { UploadedFile } from "../../domain/records.ts";
import type { BlobStore } from "../../store/contract.ts";
import { declaredBytes, limitedChunks, type Pace } from "./arriving-body.ts";
import { maxFormFields, parseMediaType } from "./parse-body.ts";

/** An uploaded file that is removed at the end of the request, unless taken. */
export interface HeldFile extends UploadedFile {
  /** At the end of the request, successful or not: removes the file from the blob folder unless it was taken. */
  settle(): Promise<void>;
}

/** A file that was just put into the blob folder and that no document refers to yet. */
const holdFile = (
  blobs: Pick<BlobStore, "release">,
  file: Pick<UploadedFile, "name" | "mimeType" | "hash" | "bytes">,
): HeldFile => {
  let isHeld = true;
  return {
    ...file,
    take() {
      isHeld = false;
    },
    async settle() {
      if (!isHeld) return;
      isHeld = false;
      await blobs.release(file.hash);
    },
  };
};

// Not @fastify/busboy: it skips a part with broken headers without an error, and is slower with short forms.

/** A parser for the request's body, to be written to. @throws ApiError malformed_body */
const openParser = (request: Request, maxBodyBytes: number): busboy.Busboy => {
  try {
    return busboy({
      headers: { "content-type": request.headers.get("content-type") ?? "" },
      limits: { fields: maxFormFields, parts: maxFormFields + 10, fieldNameSize: 200, fieldSize: maxBodyBytes },
      defParamCharset: "utf8",
    });
  } catch (error) {
    throw toMalformed(error);
  }
};

/** Resolves when the parser takes more, or has been closed. */
const drained = (form: busboy.Busboy): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      form.off("drain", done).off("close", done);
      resolve();
    };
    form.on("drain", done).on("close", done);
  });

const tooManyFields = (): ApiError => new ApiError("malformed_body", `The form has more than ${maxFormFields} fields.`);

/** The parser's failure as a 400; other failures unchanged. */
const toMalformed = (error: unknown): unknown =>
  error instanceof Error && !(error instanceof ApiError) && isBusboyError(error)
    ? new ApiError(
        "malformed_body",
        "The multipart body cannot be read. Check its boundary, that it is complete, and that no file's name has control characters.",
        {
          cause: error,
        },
      )
    : error;

/** busboy tells its failures apart by message alone. */
const isBusboyError = ({ message }: Error): boolean =>
  /^(Unexpected end|Malformed|Multipart:|Missing Content-Type|Unsupported content type)/.test(message);

/**
 * The same multipart body, with the part `file` marked as a file where its file name is empty: some clients send bytes
 * without a name in this way (`new FormData().set("file", new Blob(…))` under Bun). The parser would treat such a part
 * as a text field, unless its type is `application/octet-stream`, and decode its bytes as UTF-8.
 * @param boundary of the body: the replaced text begins with it, so that the content of a part is never changed
 */
export async function* withUnnamedFiles(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Uint8Array> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; `;
  const sent = Buffer.from(`${head}filename=""\r\n`);
  // The parser removes the folder from a path: the name is empty again.
  const marked = Buffer.from(`${head}filename="/"\r\n`);
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let bytes = Buffer.concat([held, chunk]);
    for (let at = bytes.indexOf(sent); at !== -1; at = bytes.indexOf(sent)) {
      yield bytes.subarray(0, at);
      yield marked;
      bytes = bytes.subarray(at + sent.length);
    }
    const end = bytes.length - startedAtEnd(bytes, sent);
    if (end > 0) yield bytes.subarray(0, end);
    held = bytes.subarray(end);
  }
  if (held.length > 0) yield held;
}

/** How many of the last bytes may be the beginning of the sought text. */
const startedAtEnd = (bytes: Buffer, sought: Buffer): number => {
  for (let length = Math.min(sought.length - 1, bytes.length); length > 0; length -= 1) {
    const at = bytes.length - length;
    if (bytes[at] === sought[0] && bytes.subarray(at).equals(sought.subarray(0, length))) return length;
  }
  return 0;
};

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
