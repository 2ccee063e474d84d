import { type ErrorCode, errorTable } from "../../domain/errors.ts";
import type { Endpoint } from "../endpoint.ts";
import { exampleProblem, isOpenAiPath, openAiError } from "../problem.ts";
import { headerRefs, refTo } from "./openapi-schemas.ts";

/** Codes that every operation of this kind may answer with, before its own. */
const codesOf = (endpoint: Endpoint): ErrorCode[] => {
  const codes = new Set<ErrorCode>();
  if (endpoint.access !== "open")
    for (const code of ["key_missing", "key_unknown", "key_expired", "session_ended"] as const) codes.add(code);
  if (endpoint.access !== "open") codes.add("rate_limited");
  if (endpoint.access === "writer" || endpoint.access === "admin") codes.add("role_forbidden");
  if (endpoint.body ?? endpoint.query ?? endpoint.params) codes.add("invalid_request");
  if (endpoint.body)
    for (const code of ["malformed_body", "body_too_large", "unsupported_media_type", "overloaded"] as const)
      codes.add(code);
  if (endpoint.rawBody) codes.add("unsupported_media_type");
  if (endpoint.body ?? endpoint.rawBody) codes.add("body_too_slow");
  if (endpoint.wholeServer) for (const code of ["key_limited", "organization_forbidden"] as const) codes.add(code);
  for (const code of endpoint.errors) codes.add(code);
  if (endpoint.access !== "open" && endpoint.method !== "GET") codes.add("session_header_missing");
  return [...codes.add("internal").add("draining")];
};

/** Headers of a problem, by status. */
const problemHeaders: Record<number, string[]> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** The problem answers of an operation by status, each with its codes. */
export const problemsOf = (endpoint: Endpoint) => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(endpoint)) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const problems = [...byStatus].map(
    ([status, codes]) => [status, problemAnswer(status, codes, endpoint.path)] as const,
  );
  return {
    ...Object.fromEntries(problems),
    // The listener itself gives this answer, before there is a request.
    ...(endpoint.query === undefined
      ? {}
      : { 431: { description: "The request line and headers take more than 16 KiB. There is no body." } }),
  };
};

/** The answer with a problem document of one of these codes, all of one status. */
export const problemAnswer = (status: number, codes: readonly ErrorCode[], path: string) => ({
  description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}.`).join(" "),
  headers: headerRefs(...(problemHeaders[status] ?? [])),
  content: contentOf(codes[0], path),
});

const contentOf = (code: ErrorCode | undefined, path: string) => {
  const problem = code === undefined ? null : exampleProblem(code, path);
  if (!isOpenAiPath(path))
    return { "application/problem+json": { schema: refTo("Problem"), ...(problem && { example: problem }) } };
  const example = problem && { example: openAiError(problem) };
  return { "application/json": { schema: refTo("OpenAiError"), ...example } };
};
