import { defaultSnippets } from "../answers/read-question.ts";
import type { Question, SentBeside } from "../answers/reading/question.ts";
import { ApiError, invalidField } from "../domain/errors.ts";
import { maxQuestionCharacters } from "../domain/records.ts";
import { countCharacters, storedText } from "../text/clean-text.ts";
import { isJsonObject } from "../text/json-object.ts";
import { withoutSourceList } from "./sources.ts";

/** A message or input item, of which only this is read. */
interface SentMessage {
  role?: string | undefined;
  content?: string | null | { type?: string | undefined; text?: string | undefined }[] | undefined;
}

/** What the two bodies have in common. */
interface SentOptions {
  tools?: unknown;
  tool_choice?: unknown;
  [field: string]: unknown;
}

/** What is asked: a question over the documents, or a text that a model answers as it is. */
export type Asked =
  | { kind: "question"; question: Omit<Question, "partitionId"> }
  | { kind: "task"; text: string; maxOutputTokens: number | null };

const textParts = new Set(["text", "input_text", "output_text"]);
const skippedRoles = new Set(["tool", "function"]);
const taskStart = "### Task:";
const [contextStart, contextEnd] = ["<context>", "</context>"];
/** Open WebUI puts a list of attached files, by ids of its own, before what was asked. */
const [filesStart, filesEnd] = ["<attached_files>", "</attached_files>"];

/**
 * Reads a conversation: the last message of the user is the question, what comes before it the history.
 * @param field of the body that holds the messages: errors name it
 * @throws ApiError invalid_request, query_too_long, unsupported_value
 */
export const readConversation = (
  messages: readonly SentMessage[],
  field: "messages" | "input",
  options: { instructions: string; maxOutputTokens: number | null; warnings: string[] },
): Asked => {
  const { maxOutputTokens } = options;
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[asked];
  if (last === undefined)
    throw invalidField(field, "must have a message of the role `user`: the last one is the question");
  if (hasOtherParts(last))
    throw unsupported(field, "The last message holds more than text: pictures, sound and files are not read.");

  const instructions = options.instructions === "" ? [] : [options.instructions];
  const history: Question["history"] = [];
  const warnings = [...options.warnings];
  for (const [at, message] of messages.entries()) {
    const { role } = message;
    if (at === asked || role === undefined || skippedRoles.has(role)) continue;
    const text = textOf(message);
    if (role === "system" || role === "developer") instructions.push(text);
    else if (role !== "user" && role !== "assistant")
      throw invalidField(field, `has a role that is not known: use user, assistant, system, developer or tool`);
    else if (at < asked)
      history.push({ role, text: role === "user" ? withoutFileList(text) : withoutSourceList(text) });
  }
  if (messages.slice(0, asked).some(hasOtherParts))
    warnings.push("Pictures and files of earlier messages were not read.");

  const text = textOf(last);
  const isAttached = text.includes(contextStart) && text.lastIndexOf(contextEnd) > text.indexOf(contextStart);
  if (!isAttached && text.trimStart().startsWith(taskStart)) return { kind: "task", text, maxOutputTokens };
  const end = text.lastIndexOf(contextEnd);
  const said = isAttached ? text.slice(end + contextEnd.length) : text;
  const query = withoutFileList(said).trim();
  if (!isAttached && query !== said.trim())
    warnings.push("The attached files were not read: only their names were sent.");
  if (query === "") throw invalidField(field, "must not end in an empty message: the last one is the question");
  if (countCharacters(query) > maxQuestionCharacters)
    throw new ApiError(
      "query_too_long",
      `The question, the last message, may have at most ${maxQuestionCharacters.toLocaleString("en")} characters. Shorten it, or add the text as a document.`,
      { errors: [{ path: field, message: `must end in a message of at most ${maxQuestionCharacters} characters` }] },
    );
  const beside: SentBeside = {
    instructions: instructions.filter((one) => one.trim() !== "").join("\n\n"),
    attached: isAttached ? text.slice(text.indexOf(contextStart) + contextStart.length, end).trim() : "",
    maxOutputTokens,
    warnings,
  };
  return {
    kind: "question",
    question: {
      query,
      history,
      documentId: null,
      metadata: null,
      limit: defaultSnippets,
      prompt: null,
      wantsAnswer: true,
      lastSnippets: [],
      isVisitor: false,
      receiptId: Bun.randomUUIDv7(),
      beside,
    },
  };
};

const textOf = ({ content }: SentMessage): string => {
  if (typeof content === "string") return storedText(content);
  const parts = (content ?? []).filter(({ type }) => type !== undefined && textParts.has(type));
  return storedText(parts.map(({ text = "" }) => text).join("\n"));
};

const withoutFileList = (text: string): string => {
  const list = text.trimStart();
  const end = list.startsWith(filesStart) ? list.indexOf(filesEnd) : -1;
  return end < 0 ? text : list.slice(end + filesEnd.length).trimStart();
};

const hasOtherParts = ({ content }: SentMessage): boolean =>
  Array.isArray(content) && content.some(({ type }) => type === undefined || !textParts.has(type));

const unsupported = (param: string, detail: string): ApiError =>
  new ApiError("unsupported_value", detail, {
    errors: [{ path: param, message: "has a value that is not supported" }],
  });

/** Which values of a field an answer can honor, and what to say of others. */
interface Rule {
  field: string;
  accepts(value: unknown): boolean;
  detail: string;
}

const isTextFormat = (value: unknown): boolean => isJsonObject(value) && value.type === "text";

/** Anything but text, or more than one answer, would have to be made up. */
const rules: readonly Rule[] = [
  { field: "n", accepts: (value) => value === 1, detail: "One answer is written for each request: leave out `n`." },
  {
    field: "tool_choice",
    accepts: (value) => ["auto", "none"].includes(String(isJsonObject(value) ? value.type : value)),
    detail: "No tool can be called: leave out `tool_choice`, or send `auto` or `none`.",
  },
  {
    field: "function_call",
    accepts: (value) => value === "auto" || value === "none",
    detail: "No function can be called: leave out `function_call`.",
  },
  { field: "response_format", accepts: isTextFormat, detail: "Answers are text: leave out `response_format`." },
  {
    field: "text",
    accepts: (value) =>
      !isJsonObject(value) || value.format === undefined || value.format === null || isTextFormat(value.format),
    detail: "Answers are text: leave out `text.format`.",
  },
  {
    field: "logprobs",
    accepts: (value) => value === false,
    detail: "There are no log probabilities: leave out `logprobs`.",
  },
  {
    field: "top_logprobs",
    accepts: (value) => value === 0,
    detail: "There are no log probabilities: leave out `top_logprobs`.",
  },
  {
    field: "include",
    accepts: (value) => !Array.isArray(value) || !value.includes("message.output_text.logprobs"),
    detail: "There are no log probabilities: leave `message.output_text.logprobs` out of `include`.",
  },
  {
    field: "modalities",
    accepts: (value) => Array.isArray(value) && value.every((one) => one === "text"),
    detail: "Answers are text: leave out `modalities`.",
  },
  { field: "audio", accepts: () => false, detail: "Answers are text: leave out `audio`." },
  {
    field: "previous_response_id",
    accepts: () => false,
    detail: "No response is kept: send the conversation in `input`.",
  },
  { field: "conversation", accepts: () => false, detail: "No conversation is kept: send it in `input`." },
  {
    field: "background",
    accepts: (value) => value === false,
    detail: "Answers are not made in the background: leave out `background`.",
  },
];

/** @throws ApiError unsupported_value for a field whose value cannot be honored */
export const refuseUnsupported = (body: SentOptions): void => {
  for (const { field, accepts, detail } of rules) {
    const value = body[field];
    if (value === undefined || value === null || accepts(value)) continue;
    throw unsupported(field === "text" ? "text.format" : field, detail);
  }
};

/** What of the options is left out, for the receipt. */
export const optionWarnings = ({ tools }: SentOptions): string[] =>
  Array.isArray(tools) && tools.length > 0 ? ["The tools were not used: answers are made from documents alone."] : [];

/**
 * The longest answer that was asked for; null for none. Some clients send -1 for that.
 * @throws ApiError invalid_request
 */
export const readMaxTokens = (body: SentOptions, ...fields: string[]): number | null => {
  for (const field of fields) {
    const value = body[field];
    if (value === undefined || value === null || value === -1) continue;
    if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
    throw invalidField(field, "must be a whole number of at least 1");
  }
  return null;
};
