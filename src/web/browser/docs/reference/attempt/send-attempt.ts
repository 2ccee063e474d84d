import { at } from "../../../shared/prefix.ts";
import type { Operation } from "../api.ts";
import { addressOf } from "../curl-example.ts";

/** What was typed into the form of an operation. */
export interface Attempt {
  key: string;
  /** By name of the parameter; empty ones are not sent. */
  values: Readonly<Record<string, string>>;
  /** Empty: none. */
  body: string;
  file: File | null;
}

/** What came back, as it is shown. */
export interface Outcome {
  status: number;
  mediaType: string;
  /** Null for what is no text. */
  text: string | null;
  bytes: number;
  /** Whether the answer goes on after `text`. */
  isCut: boolean;
}

/** More is not read: an answer that streams may have no end. */
const maxShownBytes = 64 * 1024;
const isText = /^text\/|json|xml|javascript/;

/** The media type that a typed body is sent as. */
export const bodyTypeOf = ({ requestBody }: Operation): string | null => {
  const types = Object.keys(requestBody?.content ?? {});
  return types.includes("application/json") ? "application/json" : (types[0] ?? null);
};

/** The fields of a body beside a file. @throws SyntaxError if the body is no JSON */
const formWith = (body: string, file: File): FormData => {
  const form = new FormData();
  const fields = body.trim() === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
  // The file is the source; a text beside it would be another.
  for (const [name, value] of Object.entries(fields))
    if (value !== null && name !== "text") form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  form.append("file", file);
  return form;
};

/** Sends what was typed. @throws SyntaxError, TypeError (no answer), AbortError */
export const sendAttempt = async (operation: Operation, attempt: Attempt, signal: AbortSignal): Promise<Outcome> => {
  const typedValue = ({ name }: { name: string }): string => (attempt.values[name] ?? "").trim();
  const headers = new Headers();
  for (const parameter of operation.parameters ?? [])
    if (parameter.in === "header" && typedValue(parameter) !== "") headers.set(parameter.name, typedValue(parameter));
  const isOwn = attempt.key.trim() !== "";
  if (isOwn) headers.set("authorization", `Bearer ${attempt.key.trim()}`);
  else headers.set("x-carrel-session", "1");
  const mediaType = bodyTypeOf(operation);
  let body: BodyInit | null = null;
  if (attempt.file !== null) body = formWith(attempt.body, attempt.file);
  else if (mediaType !== null && attempt.body.trim() !== "") {
    headers.set("content-type", mediaType);
    body = attempt.body;
  }
  const answer = await fetch(at(addressOf(operation, typedValue)), {
    method: operation.method,
    headers,
    body,
    signal,
    cache: "no-store",
    credentials: isOwn ? "omit" : "same-origin",
  });
  return await readOutcome(answer);
};

const readOutcome = async (answer: Response): Promise<Outcome> => {
  const mediaType = (answer.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  const reader = answer.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
    if (bytes <= maxShownBytes) continue;
    await reader.cancel();
    return { status: answer.status, mediaType, text: isText.test(mediaType) ? text : null, bytes, isCut: true };
  }
  return {
    status: answer.status,
    mediaType,
    text: isText.test(mediaType) ? indented(text, mediaType) : bytes === 0 ? "" : null,
    bytes,
    isCut: false,
  };
};

const indented = (text: string, mediaType: string): string => {
  if (!/[/+]json$/.test(mediaType)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
