import { nextTurn } from "../async/yield.ts";
import type { Reader } from "../domain/records.ts";
import { splitUrl, stopping } from "./frame.ts";
import { problemDocument } from "./problem.ts";
import { isLongJson, jsonPieces } from "./respond.ts";

/** One server-sent event; `data` is sent as JSON. */
export interface ServerEvent {
  /** Null: it has data alone. */
  event: string | null;
  data: unknown;
  /** `data` is a line of text, sent as it is. */
  isVerbatim?: true;
}

/** Well under the 30 s of silence after which proxies, and Bun itself, close a connection. */
const heartbeatMs = 10_000;

const encoder = new TextEncoder();

/** Nothing in between may collect, compress or keep the events. */
const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

const beginningOf = ({ event }: ServerEvent): string => `${event === null ? "" : `event: ${event}\n`}data: `;

/** The event as it is sent. JSON holds no raw line break, so one `data:` line is enough. */
export const frameEvent = (event: ServerEvent): string =>
  `${beginningOf(event)}${event.isVerbatim ? event.data : JSON.stringify(event.data)}\n\n`;

/** As `frameEvent`, a long event in pieces, so that other work can be done between them. */
function* eventPieces(event: ServerEvent): Generator<string, void, void> {
  const { data } = event;
  if (event.isVerbatim || !isLongJson(data)) return yield frameEvent(event);
  yield beginningOf(event);
  yield* jsonPieces(data);
  yield "\n\n";
}

const comment = encoder.encode(":\n\n");

/** True where the client asks for events: `Accept: text/event-stream`. */
export const acceptsEvents = (request: Request): boolean =>
  (request.headers.get("accept") ?? "").split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return type === "text/event-stream" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

/**
 * Answers with the events that `produce` yields, each pulled when the client has room for it. Its first event is
 * awaited before the answer begins, so that a failure until then has its own HTTP status (it is thrown here); a later
 * failure is sent as a last event `error` with the problem document. Comments are sent during silence. The signal given to
 * `produce` fires when the client goes away, has stopped reading (`untilSent`), or `call.signal` fires.
 * @throws whatever `produce` throws before its first event
 */
export const eventStream = async (
  call: { request: Request; requestId: string; baseUrl: string; signal: AbortSignal; principal?: Reader },
  produce: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  options: {
    headers?: Record<string, string>;
    heartbeatMs?: number;
    /** Called with the failure that ended the stream, unless the client went away or the server stops. */
    onError?: (error: unknown) => void;
  } = {},
): Promise<Response> => {
  const gone = new AbortController();
  const signal = AbortSignal.any([call.signal, gone.signal]);
  const events = produce(signal)[Symbol.asyncIterator]();
  let next: IteratorResult<ServerEvent> | null = await events.next();
  const at = { path: splitUrl(call.request.url).path, baseUrl: call.baseUrl };

  let heartbeat: ReturnType<typeof setInterval> | undefined;
  /** What is left of an event that is being sent. */
  let pieces: Iterator<string, void, void> | null = null;
  const nextPiece = (): string | null => {
    const piece = pieces?.next();
    if (piece?.done === false) return piece.value;
    pieces = null;
    return null;
  };
  const stop = () => {
    clearInterval(heartbeat);
    gone.abort(new DOMException("the client went away", "AbortError"));
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        heartbeat = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0 && pieces === null) controller.enqueue(comment);
        }, options.heartbeatMs ?? heartbeatMs);
      },
      async pull(controller) {
        try {
          if (pieces !== null) await nextTurn();
          const rest = nextPiece();
          if (rest !== null) return controller.enqueue(encoder.encode(rest));
          const result = next ?? (await events.next());
          next = null;
          if (!result.done) {
            pieces = eventPieces(result.value);
            return controller.enqueue(encoder.encode(nextPiece() ?? ""));
          }
        } catch (error) {
          if (!signal.aborted) options.onError?.(error);
          // A client that still listens is sent the failure, or that the server stops.
          const data = problemDocument(signal.aborted ? stopping() : error, call.requestId, at, call.principal);
          if (!gone.signal.aborted) controller.enqueue(encoder.encode(frameEvent({ event: "error", data })));
        }
        clearInterval(heartbeat);
        if (!gone.signal.aborted) controller.close();
      },
      async cancel() {
        stop();
        await events.return?.().catch(() => {});
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(stream, { headers: { ...streamHeaders, ...options.headers } });
};
