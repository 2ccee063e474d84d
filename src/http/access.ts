import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/principal.ts";
import { authenticate, bearerKey, roleAllows } from "../keys/authenticate.ts";
import type { KeyStore } from "../store/contract.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * Who calls, or the refusal; asked before anything else of the request is looked at.
 * @param operator who the operator's socket says it is, if the request came that way
 * @returns null only for `open` and `visitor` operations without a key
 * @throws ApiError key_missing, key_unknown, key_expired (401), role_forbidden, key_limited (403)
 */
export const authorize = (
  { access, wholeOrganization = false }: Pick<Endpoint, "access" | "wholeOrganization">,
  authorization: string | null,
  keys: Pick<KeyStore, "getByHash">,
  operator: Principal | null,
): Principal | null => {
  if (access === "open") return operator;
  const key = bearerKey(authorization);
  if (operator === null && key === null) {
    if (access === "visitor") return null;
    throw new ApiError("key_missing", "Send an API key: the header `Authorization: Bearer <key>`.");
  }
  const principal = operator ?? authenticate(keys, key ?? "", Date.now());
  if (access !== "visitor" && !roleAllows(principal.role, access)) {
    throw new ApiError("role_forbidden", `This takes a key of role ${access}; yours has role ${principal.role}.`);
  }
  if (wholeOrganization && principal.partitionId !== null) {
    throw new ApiError("key_limited", "This takes a key that is not limited to a partition.");
  }
  return principal;
};
