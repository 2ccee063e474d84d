import { describe, expect, test } from "bun:test";
import { ProviderError } from "../../../providers/contract.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import { pauseBeforeRetry } from "../../../src/ingest/queue/settle-document.ts";

const longest = 1 - Number.EPSILON;
const provider = (service: ProviderError["service"], kind: ProviderError["kind"], options = {}) =>
  new ProviderError(service, kind, "failed", options);

describe("pauseBeforeRetry", () => {
  test("grows from a second to five minutes", () => {
    const pauses = [0, 1, 2, 5, 10, 20].map((attempts) =>
      Math.round(pauseBeforeRetry(provider("embedding", "unreachable"), attempts, longest) ?? -1),
    );
    expect(pauses).toEqual([1_000, 2_000, 4_000, 32_000, 300_000, 300_000]);
  });

  test("spreads documents that failed together", () => {
    expect(pauseBeforeRetry(provider("embedding", "timeout"), 2, 0)).toBe(3_000);
  });

  test("waits as long as the server asks, within the bound", () => {
    const asking = (retryAfterMs: number) => provider("embedding", "rate_limited", { retryAfterMs });
    expect(Math.round(pauseBeforeRetry(asking(20_000), 0, longest) ?? -1)).toBe(20_000);
    expect(Math.round(pauseBeforeRetry(asking(9_000_000), 0, longest) ?? -1)).toBe(300_000);
  });

  test("comes to an end", () => {
    expect(pauseBeforeRetry(provider("embedding", "unreachable"), 28, 0)).not.toBeNull();
    expect(pauseBeforeRetry(provider("embedding", "unreachable"), 29, 0)).toBeNull();
  });

  test.each<[string, unknown, number]>([
    ["a refused model call", provider("embedding", "bad_answer", { status: 500 }), 30],
    ["a missing model", provider("embedding", "model_missing"), 30],
    ["a text too long for the model", provider("embedding", "too_long"), 1],
    ["a parser that is away", provider("parser", "unreachable"), 30],
    ["a parser that takes too long", provider("parser", "timeout"), 2],
    ["a file the parser refuses", provider("parser", "bad_answer", { status: 422 }), 1],
    ["an address that takes too long", new ApiError("fetch_timeout", ""), 3],
    ["an address that does not answer", new ApiError("fetch_failed", "", { cause: new Error("ECONNREFUSED") }), 3],
    ["an address that answers 404", new ApiError("fetch_failed", ""), 1],
    ["a broken file", new ApiError("unreadable_file", ""), 1],
    ["a full disk", new ApiError("storage_unavailable", ""), 30],
    ["a fault of our own", new TypeError("x is undefined"), 1],
  ])("%s is tried as often as makes sense", (_name, error, attempts) => {
    let tried = 1;
    while (pauseBeforeRetry(error, tried - 1, 0) !== null) tried += 1;
    expect(tried).toBe(attempts);
  });
});
