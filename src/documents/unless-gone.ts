import { ApiError } from "../domain/errors.ts";

/** The result of work on a document; `otherwise` where the document was deleted meanwhile. */
export const unlessGone = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && error.code === "document_not_found") return otherwise;
    throw error;
  }
};
