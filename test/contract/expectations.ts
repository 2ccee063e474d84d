import { expect } from "bun:test";
import { readEvents, type StreamedEvent } from "../read-events.ts";
import type { Answer } from "./serve-carrel.ts";

/** An id of the right form that no record has. */
export const nobody = "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23";

export const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** ISO 8601 in UTC with milliseconds. */
export const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A success: 200 and JSON. */
export const expectOk = (answer: Answer): Answer["body"] => {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("content-type")).toStartWith("application/json");
  return answer.body;
};

/** A problem document that has all its fields, and the same request id in body and header. */
export const expectProblem = (answer: Answer, status: number, code: string): Answer["body"] => {
  expect([answer.status, answer.body?.code], answer.text.slice(0, 500)).toEqual([status, code]);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const { type, title, detail, instance, requestId } = answer.body;
  expect(answer.body.status).toBe(status);
  expect(type).toBe(`/docs/errors#${code}`);
  for (const text of [title, detail]) expect(text.length).toBeGreaterThan(5);
  expect(instance).toStartWith("/");
  expect(answer.headers.get("x-request-id")).toBe(requestId);
  if (status === 401) expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  expect(answer.text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\/src\/|crl_[0-9A-Za-z]{43}/);
  return answer.body;
};

/** What stays the same from run to run of a problem document, for snapshots. */
export const shownProblem = ({ body }: Answer, hidden: Record<string, string> = {}): Record<string, unknown> => {
  const text = Object.entries(hidden).reduce(
    (shown, [value, name]) => shown.replaceAll(value, name),
    JSON.stringify(body),
  );
  return { ...JSON.parse(text), requestId: "<request id>" };
};

/** The media type of an event stream, whatever its parameters. */
export const expectEventStream = ({ status, headers, text }: Answer): StreamedEvent[] => {
  expect(status, text.slice(0, 500)).toBe(200);
  expect(headers.get("content-type")).toMatch(/^text\/event-stream\b/);
  return readEvents(text);
};
