// Not @fastify/busboy: it skips a part with broken headers without an error, and is slower with short forms.
import busboy from "busboy";
import { ApiError } from "../../domain/errors.ts";
import { maxFormFields } from "./form-body.ts";

/** A parser for the request's body, to be written to. @throws ApiError malformed_body */
export const openParser = (request: Request, maxBodyBytes: number): busboy.Busboy => {
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
export const drained = (form: busboy.Busboy): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      form.off("drain", done).off("close", done);
      resolve();
    };
    form.on("drain", done).on("close", done);
  });

export const tooManyFields = (): ApiError =>
  new ApiError("malformed_body", `The form has more than ${maxFormFields} fields.`);

/** The parser's failure as a 400; other failures unchanged. */
export const toMalformed = (error: unknown): unknown =>
  error instanceof Error && !(error instanceof ApiError) && isBusboyError(error)
    ? new ApiError("malformed_body", "The multipart body cannot be read. Check its boundary and that it is complete.", {
        cause: error,
      })
    : error;

/** busboy tells its failures apart by message alone. */
const isBusboyError = ({ message }: Error): boolean =>
  /^(Unexpected end|Malformed|Multipart:|Missing Content-Type|Unsupported content type)/.test(message);
