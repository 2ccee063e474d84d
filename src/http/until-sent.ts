import type { OpenSpan } from "../tracing/tracer.ts";

/**
 * The response, with one call of `done`: immediately where the body is complete, else when its stream has been sent, has
 * failed, or the client has gone away.
 * @param span what the stream is made of is part of it
 */
export const untilSent = (response: Response, span: Pick<OpenSpan, "within">, done: () => void): Response => {
  if (response.body === null || isWhole(response)) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const chunk = await span.within(() => reader.read());
        if (chunk.done) {
          done();
          controller.close();
        } else {
          controller.enqueue(chunk.value);
        }
      } catch (error) {
        done();
        controller.error(error);
      }
    },
    async cancel(reason) {
      done();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
};

/** Answers of these types consist of text that is complete already. */
export const isWhole = ({ headers }: Response): boolean =>
  !headers.has("content-length") &&
  /^(?:application\/(?:problem\+)?json|text\/(?:html|plain|javascript))\b/.test(headers.get("content-type") ?? "");
