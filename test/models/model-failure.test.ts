import { expect, test } from "bun:test";
import { ProviderError, type ProviderErrorKind } from "../../providers/contract.ts";
import { modelFailure } from "../../src/models/model-failure.ts";

const answered = (service: ProviderError["service"], kind: ProviderErrorKind, retryAfterMs?: number) => {
  const error = modelFailure(
    new ProviderError(service, kind, "what to do", retryAfterMs === undefined ? {} : { retryAfterMs }),
  );
  const { code, status, message, reason, headers } = error;
  return { code, status, detail: message, reason, headers };
};

test.each([
  ["answer", "unreachable", "model_unreachable", 503],
  ["answer", "timeout", "model_timeout", 504],
  ["answer", "bad_answer", "model_failed", 502],
  ["answer", "model_missing", "model_failed", 502],
  ["answer", "unauthorized", "model_failed", 502],
  ["answer", "rate_limited", "model_unreachable", 503],
  ["answer", "too_long", "question_too_long", 413],
  ["answer", "aborted", "draining", 503],
  ["embedding", "too_long", "model_failed", 502],
  ["embedding", "timeout", "model_timeout", 504],
  ["reranker", "bad_answer", "model_failed", 502],
  ["parser", "unreachable", "parser_unreachable", 503],
  ["parser", "timeout", "parser_timeout", 504],
  ["parser", "bad_answer", "parser_failed", 502],
] as const)("%s %s is %s, %i", (service, kind, code, status) => {
  expect(answered(service, kind)).toMatchObject({ code, status, headers: {} });
});

test("passes on how long to wait, in whole seconds and never none", () => {
  expect(answered("answer", "rate_limited", 1_200)).toEqual({
    code: "model_unreachable",
    status: 503,
    detail: "The model that writes the answers has no room at the moment: try again later.",
    reason: "what to do",
    headers: { "Retry-After": "2" },
  });
  expect(answered("answer", "unreachable", 0).headers).toEqual({ "Retry-After": "1" });
});
