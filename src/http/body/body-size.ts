import type { Principal } from "../../domain/principal.ts";
import type { Endpoint } from "../endpoint.ts";

/** For operations that take no document. */
const maxShortBodyBytes = 1024 * 1024;
/** For callers without a key, who send nothing but messages. */
const maxVisitorBodyBytes = 256 * 1024;

/** How long a body the caller may send to the operation; never more than `server.maxBodyBytes`. */
export const maxBodyBytesOf = (
  { longBody = false }: Pick<Endpoint, "longBody">,
  principal: Principal | null,
  configuredBytes: number,
): number => {
  if (principal === null) return Math.min(configuredBytes, maxVisitorBodyBytes);
  return longBody ? configuredBytes : Math.min(configuredBytes, maxShortBodyBytes);
};
