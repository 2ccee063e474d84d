import type { TSchema } from "@sinclair/typebox";
import { ApiError, invalidField } from "../../domain/errors.ts";
import { readBytes } from "./arriving-body.ts";
import { type HeldFile, type MultipartOptions, readMultipart } from "./multipart-body.ts";
import { coerceText, isJsonType, parseForm, parseJson, parseMediaType } from "./parse-body.ts";

/** A body as sent, not yet validated. A file is held until its `settle` is called. */
export interface ReceivedBody {
  value: unknown;
  file: HeldFile | null;
}

/**
 * Reads a request's body in whichever encoding it came: JSON (also without a content type), a URL-encoded form (or the
 * JSON object that plain `curl -d` sends under that name) or `multipart/form-data`. An empty body is `{}`.
 * @throws ApiError malformed_body, body_too_large, body_too_slow, document_too_large, overloaded, unsupported_media_type, invalid_request
 */
export const readBody = async (request: Request, schema: TSchema, options: MultipartOptions): Promise<ReceivedBody> => {
  refuseCompressed(request);
  const mediaType = parseMediaType(request.headers.get("content-type"));
  if (mediaType?.type === "multipart/form-data") {
    const { entries, file, otherFiles } = await readMultipart(request, options);
    try {
      refuseFiles(schema, otherFiles);
      return { value: coerceText(schema, entries), file };
    } catch (error) {
      await file?.settle();
      throw error;
    }
  }
  const isForm = mediaType?.type === "application/x-www-form-urlencoded";
  const bytes = await readBytes(request, { maxBytes: options.maxBodyBytes, pace: options.pace, held: options.held });
  if (bytes.byteLength === 0) return { value: {}, file: null };
  if (mediaType !== null && !isForm && !isJsonType(mediaType)) {
    throw unsupported(`Send the body as application/json, application/x-www-form-urlencoded or multipart/form-data.`);
  }
  const charset = mediaType?.parameters.charset?.toLowerCase() ?? "utf-8";
  if (!["utf-8", "utf8", "us-ascii"].includes(charset)) throw unsupported("Send the body in UTF-8.");
  const text = decodeUtf8(bytes);
  const value = isForm && !looksLikeJson(text) ? coerceText(schema, parseForm(text)) : parseJson(text);
  return { value, file: null };
};

/** A field of the operation that came as a file: ignored, its value would be lost without a word. @throws ApiError */
const refuseFiles = (schema: TSchema, names: readonly string[]): void => {
  const field = names.find((name) => Object.hasOwn(schema.properties ?? {}, name));
  if (field !== undefined) throw invalidField(field, "must be a field of the form, not a file");
};

/** Refuses a compressed body: decompressed, a short one could fill the memory. @throws ApiError unsupported_media_type */
export const refuseCompressed = ({ headers }: Request): void => {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity") {
    throw new ApiError("unsupported_media_type", "Send the body uncompressed, without Content-Encoding.", {
      headers: { "accept-encoding": "identity" },
    });
  }
};

const looksLikeJson = (text: string): boolean => /^\s*\{/.test(text);

const unsupported = (detail: string): ApiError => new ApiError("unsupported_media_type", detail);

const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    // Strips a byte order mark.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ApiError("malformed_body", "The body is not valid UTF-8.", { cause: error });
  }
};
