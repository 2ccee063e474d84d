import { expect, test } from "bun:test";
import { createConfiguredOutbound } from "../../../providers/http/outbound.ts";
import { failure } from "../chat-conformance.ts";

const signal = () => new AbortController().signal;
const outboundTo = (port: number | undefined, timeoutMs: number) =>
  createConfiguredOutbound("answer", { apiKey: null, timeoutMs }, `http://127.0.0.1:${port}`);

/** Serves pieces with pauses between them. */
const serve = (pieces: readonly (string | number)[]) =>
  Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: () =>
      new Response(
        (async function* () {
          for (const piece of pieces)
            if (typeof piece === "number") await Bun.sleep(piece);
            else yield new TextEncoder().encode(piece);
        })(),
      ),
  });

const read = async (pieces: readonly (string | number)[], timeoutMs: number, isStream: boolean): Promise<string> => {
  const server = serve(pieces);
  try {
    const outbound = outboundTo(server.port, timeoutMs);
    return await (await outbound.fetchFor(signal(), { isStream })(outbound.baseUrl)).text();
  } finally {
    await server.stop(true);
  }
};

test("an answer that goes on coming may take longer than the longest silence", async () => {
  // The pauses are much shorter than the silence that is borne, all of them together longer.
  const pieces = Array.from({ length: 12 }, () => ["some text of it\n", 250]).flat();
  for (const isStream of [true, false])
    expect(await read(pieces, 2_500, isStream)).toBe("some text of it\n".repeat(12));
});

test("bytes that make no line are no sign of life in a stream", async () => {
  const pieces = Array.from({ length: 40 }, () => ["some text of it", 100]).flat();
  const error = await failure(read(pieces, 500, true));
  expect(error.kind).toBe("timeout");
  expect(error.message).toContain("models.answer.timeoutMs");
});

test("white space alone is no sign of life in an answer that is read whole", async () => {
  const error = await failure(read(Array.from({ length: 400 }, () => [" \n".repeat(50), 20]).flat(), 500, false));
  expect(error.kind).toBe("timeout");
});

test("a reader that takes its time is not the server's silence", async () => {
  const server = serve(["one\n", 100, "two\n", 100, "three\n"]);
  const outbound = outboundTo(server.port, 2_000);
  const response = await outbound.fetchFor(signal(), { isStream: true })(outbound.baseUrl);
  let text = "";
  for await (const piece of response.body ?? []) {
    text += new TextDecoder().decode(piece);
    await Bun.sleep(2_500);
  }
  expect(text).toBe("one\ntwo\nthree\n");
  await server.stop(true);
});
