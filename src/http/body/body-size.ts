import type { Principal } from "../../domain/principal.ts";
import type { Endpoint } from "../endpoint.ts";

/** Longest body of an operation that takes no document. */
export const maxShortBodyBytes = 1024 * 1024;
/** Whoever has no key does not get to send more than a message. */
export const maxVisitorBodyBytes = 256 * 1024;

/** Longest body that the caller may send to the operation; never more than `server.maxBodyBytes`. */
export const maxBodyBytesOf = (
  { longBody = false }: Pick<Endpoint, "longBody">,
  principal: Principal | null,
  configuredBytes: number,
): number => {
  if (principal === null) return Math.min(configuredBytes, maxVisitorBodyBytes);
  return longBody ? configuredBytes : Math.min(configuredBytes, maxShortBodyBytes);
};
