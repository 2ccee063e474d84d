import type { OpenSpan } from "../tracing/tracer.ts";

/** A client that has taken nothing for this long is given up: it must hold no memory, model or connection for ever. */
export const maxStalledMs = 120_000;

/**
 * The response, with one call of `done`: immediately where the body is complete, else when its stream has been sent, has
 * failed, the client has gone away, or has stopped reading. An honest client may be slow: what it takes in steps of as
 * much as the system's buffers hold, it may take in minutes.
 * @param span what the stream is made of is part of it
 */
export const untilSent = (
  response: Response,
  span: Pick<OpenSpan, "within">,
  done: () => void,
  stalledMs = maxStalledMs,
): Response => {
  if (response.body === null || isWhole(response)) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  let stalled: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(stalled);
    done();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stalled);
        try {
          const chunk = await span.within(() => reader.read());
          if (chunk.done) {
            end();
            controller.close();
            return;
          }
          controller.enqueue(chunk.value);
        } catch (error) {
          end();
          controller.error(error);
          return;
        }
        stalled = setTimeout(() => {
          const reason = new Error("the client stopped reading");
          end();
          controller.error(reason);
          reader.cancel(reason).catch(() => {});
        }, stalledMs);
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    // Nothing is made before the client has room for it: each pull says that it took what came before.
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
};

/** Answers of these types consist of text that is complete already. */
export const isWhole = ({ headers }: Response): boolean =>
  !headers.has("content-length") &&
  /^(?:application\/(?:problem\+)?json|text\/(?:html|plain|javascript))\b/.test(headers.get("content-type") ?? "");

/** The answer to HEAD: what GET would have answered, without its body; a stream is canceled. */
export const withoutBody = async (response: Response): Promise<Response> => {
  const headers = new Headers(response.headers);
  if (isWhole(response)) {
    headers.set("content-length", String((await response.arrayBuffer()).byteLength));
  } else {
    await response.body?.cancel();
  }
  return new Response(null, { status: response.status, headers });
};
