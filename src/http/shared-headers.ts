import type { Config } from "../../config/schema.ts";
import { plainPagePolicy } from "./html-page.ts";

/** Headers of every answer, unless its operation sets them. */
export const sharedHeaders = (
  { headers }: Response,
  { tls }: Pick<Config["server"], "tls">,
): Record<string, string> => {
  const isPage = headers.get("content-type")?.startsWith("text/html") && !headers.has("content-security-policy");
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...(headers.has("cache-control") ? {} : { "cache-control": "no-store" }),
    ...(tls.certificate !== null && tls.hstsMaxAgeSeconds > 0
      ? { "strict-transport-security": `max-age=${tls.hstsMaxAgeSeconds}` }
      : {}),
    ...(isPage ? { "content-security-policy": plainPagePolicy } : {}),
  };
};

/** Sets headers of the response itself. `Vary` is added to what the operation set. */
export const withHeaders = (response: Response, headers: Record<string, string>): Response => {
  for (const [name, value] of Object.entries(headers)) {
    if (name === "vary") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
  return response;
};
