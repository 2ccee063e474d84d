import type { Static, TSchema } from "@sinclair/typebox";
import type { Held } from "../async/in-flight.ts";
import type { AuditedChange } from "../domain/audit.ts";
import type { ErrorCode } from "../domain/errors.ts";
import type { Principal, Role, UploadedFile } from "../domain/records.ts";

/** An answer that is not JSON. */
export interface RawAnswer {
  mediaType: string;
  description: string;
  /** Of a stream: schema of one event or line. */
  item?: TSchema;
}

export type Access = "open" | Role | "visitor";

/** Input of a handler, all of it checked against the endpoint's schemas. */
export interface Call<P, Q, B, A extends Access> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The part named `file`, where the operation accepts one and it was sent. */
  readonly file: UploadedFile | null;
  /** Null only on `open` and `visitor` endpoints called without a key. */
  readonly principal: A extends Role ? Principal : Principal | null;
  readonly request: Request;
  /** The body of an operation with `rawBody`, as it arrives; it fails with `body_too_slow` where it comes too slowly. */
  readonly arriving: AsyncIterable<Uint8Array<ArrayBuffer>>;
  readonly requestId: string;
  /** Fires when the client goes away or the server's drain deadline passes. */
  readonly signal: AbortSignal;
  /** Address of the client, after trusted proxies. */
  readonly clientAddress: string;
  /** Address under which clients reach this server: `server.baseUrl`, else from the Host header. */
  readonly baseUrl: string;
  /** Counts the texts that the handler holds for its answer; the body is counted already. */
  readonly held: Pick<Held, "add" | "drop" | "note">;
  /**
   * Makes a change and puts it into the audit log: see `recordChange`. Look first whether there is anything to change.
   * @throws what the work throws
   */
  audited<T>(change: AuditedChange, work: () => Promise<T>): Promise<T>;
}

/**
 * One operation of the API: from this one declaration come routing, authorization, body reading (JSON, form,
 * multipart), validation, and its page in the OpenAPI document.
 */
export interface Endpoint<
  A extends Access = Access,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** As in `/api/document/:id`. */
  path: string;
  /** Name of the operation in the OpenAPI document, from which clients are generated: it is stable. */
  operationId: string;
  /** Other paths of the same operation, such as `/document/:id`. */
  aliases?: readonly string[];
  access: A;
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** True where the answer covers more than one partition: a key limited to one is refused. */
  wholeOrganization?: boolean;
  /** True where it concerns the whole server: a key of another organization than the first, or of one partition, is refused. */
  wholeServer?: boolean;
  /** Of a POST: true where it stores nothing that its caller reads again. Where a store is shared, any process answers it. */
  onlyReads?: true;
  /** Of a GET: true where the process that writes has what it tells in memory. Where a store is shared, that one answers it. */
  ofWriter?: true;
  /** Request headers that the handler reads, for the OpenAPI document. */
  headers?: TSchema;
  /** True where a multipart body may carry a part named `file`. */
  acceptsFile?: boolean;
  /** True where the body may be as long as `server.maxBodyBytes`: it carries a document. Others: see body-size.ts. */
  longBody?: boolean;
  /**
   * Of `visitor` operations: whether anyone may visit the record. A session's cookie stands for its key on the others,
   * as it does on every other operation.
   */
  isPublic?(params: Static<P>): Promise<boolean>;
  /**
   * Called after the key was checked and before the body is read: refuses a caller that the record does not admit, such
   * as a visitor of a chat that is not public.
   * @throws ApiError
   */
  admit?(
    call: Pick<Call<Static<P>, unknown, unknown, A>, "params" | "principal" | "request" | "baseUrl" | "clientAddress">,
  ): Promise<void>;
  /** The handler reads the body itself as a stream, from `call.arriving`. `schema` is that of one line. */
  rawBody?: { mediaType: string; description: string; schema: TSchema };
  /** Status -> schema of the JSON answer, or a media type of another answer. */
  responses: Record<number, TSchema | RawAnswer>;
  /** Schema of one server-sent event, where the operation can also answer with a stream of them. */
  events?: TSchema;
  /** Headers of the answer beside those that every answer has; they are described in openapi-answers.ts. */
  answerHeaders?: readonly string[];
  /** Operations (by `operationId`) that take the answer's `id` as theirs. */
  links?: readonly string[];
  /** Codes this operation itself may answer with, beyond those every operation shares (401, 403, malformed bodies …). */
  errors: readonly ErrorCode[];
  example?: { request?: unknown; response: unknown };
  /** @returns an object (answered as JSON with 200) or a Response */
  handle(call: Call<Static<P>, Static<Q>, Static<B>, A>): Promise<object | Response> | object | Response;
}

/** Gives `handle` its types from the schemas beside it. */
export const endpoint = <A extends Access, P extends TSchema, Q extends TSchema, B extends TSchema>(
  declaration: Endpoint<A, P, Q, B>,
): Endpoint<A, P, Q, B> => declaration;

/** For operations that take no document. */
const maxShortBodyBytes = 1024 * 1024;
/** For callers without a key, who send nothing but messages. */
const maxVisitorBodyBytes = 256 * 1024;

/** How long a body the caller may send to the operation; never more than `server.maxBodyBytes`. */
export const maxBodyBytesOf = (
  { longBody = false }: Pick<Endpoint, "longBody">,
  principal: Principal | null,
  configuredBytes: number,
): number => {
  if (principal === null) return Math.min(configuredBytes, maxVisitorBodyBytes);
  return longBody ? configuredBytes : Math.min(configuredBytes, maxShortBodyBytes);
};
