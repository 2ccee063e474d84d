import { ApiError } from "../../domain/errors.ts";

/** 422 `unreadable_file`: the file is broken, locked or asks for too much. */
export const unreadable = (detail: string, cause?: unknown): ApiError =>
  new ApiError("unreadable_file", detail, { cause });

/** 422 `no_text`: read, and nothing in it. */
export const noText = (detail: string, cause?: unknown): ApiError => new ApiError("no_text", detail, { cause });

/** 415 `unsupported_file_type`. */
export const unsupported = (detail: string): ApiError => new ApiError("unsupported_file_type", detail);

/** 413 `document_too_large`. */
export const tooLarge = (detail: string): ApiError => new ApiError("document_too_large", detail);
