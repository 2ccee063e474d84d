/** A failure as OpenAI's API tells it. */
export interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string };
}

/** Whether a path is one of OpenAI's API, whose clients read failures in its form alone. */
export const isOpenAiPath = (path: string): boolean => path === "/v1" || path.startsWith("/v1/");

/** @param problem the problem document that tells the same */
export const openAiError = ({
  status,
  code,
  detail,
  errors,
}: {
  status: number;
  code: string;
  detail: string;
  errors?: readonly { path: string }[];
}): OpenAiError => ({
  error: {
    message: detail,
    type: typeOf(status),
    param: errors?.[0]?.path || null,
    // Clients test for this one.
    code: status === 401 ? "invalid_api_key" : code,
  },
});

const typeOf = (status: number): string => {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
};
