import type { Config } from "../../config/schema.ts";
import { ApiError } from "../domain/errors.ts";
import { isOriginAllowed } from "../domain/web-address.ts";

/**
 * Refuses a visitor whose page may not use public chats: its origin is neither this server's own, nor named in
 * `publicChats.allowedOrigins` (`*`: any) or `server.allowedOrigins`. A request without `Origin` comes from no foreign
 * page and is allowed.
 * @throws ApiError origin_forbidden
 */
export const checkOrigin = (
  request: Request,
  baseUrl: string,
  config: Pick<Config, "server" | "publicChats">,
): void => {
  const origin = request.headers.get("origin");
  if (origin === null || origin === URL.parse(baseUrl)?.origin) return;
  if (isOriginAllowed(origin, [...config.publicChats.allowedOrigins, ...config.server.allowedOrigins])) return;
  throw new ApiError(
    "origin_forbidden",
    "Pages of this web origin may not use public chats here: the operator lists those that may in publicChats.allowedOrigins.",
  );
};
