import { expect, test } from "bun:test";
import { answerLine } from "../../src/documents/batch-routes.ts";
import { ApiError } from "../../src/domain/errors.ts";
import type { Principal } from "../../src/domain/records.ts";

const principal: Principal = { organizationId: "o", partitionId: null, userId: "u", role: "writer", keyId: null };
const answerOf = (error: unknown, signal: AbortSignal) => {
  const logged: string[] = [];
  const note = (...words: unknown[]) => void logged.push(JSON.stringify(words));
  const caller = { principal, requestId: "r", at: { path: "/api/ingest/batch", baseUrl: "http://127.0.0.1" }, signal };
  const answer = JSON.parse(answerLine(caller, { line: 7, error }, { error: note, warn: note } as never));
  return { code: answer.error.code as string, status: answer.error.status as number, logged: logged.length };
};

test("a line that is under way when the server stops is to be sent again, and no error of the log", () => {
  const aborted = new DOMException("the server stops", "AbortError");
  expect(answerOf(aborted, AbortSignal.abort(aborted))).toEqual({ code: "draining", status: 503, logged: 0 });
  // What is wrong with the line stays wrong.
  const wrong = new ApiError("invalid_request", "name: Expected string");
  expect(answerOf(wrong, AbortSignal.abort(aborted))).toMatchObject({ code: "invalid_request", logged: 0 });
  expect(answerOf(new Error("broken"), new AbortController().signal)).toMatchObject({ code: "internal", logged: 1 });
});
