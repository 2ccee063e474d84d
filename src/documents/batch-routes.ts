import type { Config } from "../../config/schema.ts";
import { createYielder } from "../async/yield.ts";
import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/records.ts";
import { parseJson } from "../http/body/parse-body.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { stopping } from "../http/frame.ts";
import { type FailedAt, problemDocument } from "../http/problem.ts";
import { ownScope } from "../http/schema/fields.ts";
import { createValidator } from "../http/schema/validate.ts";
import { ingestBatch, type LineOutcome } from "../ingest/batch.ts";
import { type IngestRequest, readIngestRequest } from "../ingest/request.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Logger } from "../log/log.ts";
import { toApiError } from "../models/model-failure.ts";
import { batchAnswerSchema, batchExample, ingestBody } from "./ingest-schema.ts";

const validate = createValidator(ingestBody);

const readLine = (principal: Principal, text: string): IngestRequest =>
  readIngestRequest(validate(ownScope(ingestBody, principal, parseJson(text))), null);

/** A call as its answers name it. */
interface Caller {
  principal: Principal;
  requestId: string;
  /** The request, for problem documents. */
  at: FailedAt;
  /** Fires when the server stops. */
  signal: AbortSignal;
}

/** The line of NDJSON that answers a line. Logs of a failure what the client is not told. */
export const answerLine = (
  { principal, requestId, at, signal }: Caller,
  outcome: LineOutcome,
  log: Pick<Logger, "error" | "warn">,
): string => {
  const { line } = outcome;
  if ("document" in outcome) {
    const { document, unchanged } = outcome;
    // A new document is accepted as `pending`, even where it is processed by now.
    const state = unchanged ? { status: document.status, unchanged } : { status: "pending" };
    return `${JSON.stringify({ line, id: document.id, ...state })}\n`;
  }
  // What was under way at the end of the drain time was not stored: it is to be sent again, and nothing is broken.
  const error = signal.aborted && !(outcome.error instanceof ApiError) ? stopping() : outcome.error;
  const failure = toApiError(error);
  const { code, reason } = failure;
  if (code === "internal") log.error({ requestId, line, err: failure.cause ?? failure }, "a line of a batch failed");
  else if (reason !== null) log.warn({ requestId, line, code, detail: reason }, "a line of a batch failed");
  return `${JSON.stringify({ line, error: problemDocument(error, requestId, at, principal) })}\n`;
};

/**
 * Texts as a body; those that are ready at one time are sent together. Waits for the first ones: what fails before them
 * has a status of its own. `cancel` is called when the client leaves.
 */
const streamTexts = async (
  texts: AsyncGenerator<string[]>,
  cancel: () => void,
): Promise<ReadableStream<Uint8Array>> => {
  const encoder = new TextEncoder();
  const yieldTurn = createYielder();
  let first: IteratorResult<string[], void> | null = await texts.next();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await yieldTurn();
      const { value, done } = first ?? (await texts.next());
      first = null;
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.join("")));
    },
    cancel,
  });
};

/** `/api/ingest/batch`. */
export const batchEndpoint = (work: IngestWork, { server }: Pick<Config, "server">, log: Logger): Endpoint =>
  endpoint({
    method: "POST",
    path: "/api/ingest/batch",
    operationId: "ingestBatch",
    access: "writer",
    tag: "Documents",
    summary: "Ingest many documents",
    description:
      'NDJSON in, NDJSON out. Each line of the body is a body of `/api/ingest`, without files. The answer has a line for each, sent as soon as it is stored: `{"line": 1, "id": …, "status": "pending"}` or `{"line": 1, "error": {problem}}`. Lines are stored while the body still arrives. Questions find small texts as soon as they are answered; other documents are processed afterwards. A faulty line does not affect the others. A line may be as long as `server.maxBodyBytes` (100 MiB by default).',
    rawBody: {
      mediaType: "application/x-ndjson",
      description: "One JSON object per line, each a body of `/api/ingest`.",
      schema: ingestBody,
    },
    responses: {
      200: {
        mediaType: "application/x-ndjson",
        description: "A line for each line sent.",
        item: batchAnswerSchema,
      },
    },
    errors: [],
    example: batchExample,
    async handle(call) {
      const { principal, requestId, held } = call;
      const at = { path: new URL(call.request.url).pathname, baseUrl: call.baseUrl };
      const caller = { principal, requestId, at, signal: call.signal };
      const gone = new AbortController();
      const answers = ingestBatch(work, {
        principal,
        held,
        maxLineBytes: server.maxBodyBytes,
        body: call.arriving,
        signal: AbortSignal.any([call.signal, gone.signal]),
        readRequest: (text) => readLine(principal, text),
        toAnswer: (outcome) => answerLine(caller, outcome, log),
      });
      const body = await streamTexts(answers, () => gone.abort(new DOMException("the client went away", "AbortError")));
      return new Response(body, { headers: { "content-type": "application/x-ndjson", "x-accel-buffering": "no" } });
    },
  }) as Endpoint;
