import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/principal.ts";
import { authenticate, bearerKey, roleAllows } from "../keys/authenticate.ts";
import type { KeyStore } from "../store/contract.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * Authenticates the caller and checks that the operation is allowed to it, before anything else is read.
 * @param operator the principal of the operator's socket, if the request came over it
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
    throw new ApiError(
      "role_forbidden",
      `This operation needs a key with role ${access}; yours has role ${principal.role}.`,
    );
  }
  if (wholeOrganization && principal.partitionId !== null) {
    throw new ApiError("key_limited", "This operation needs a key that is not limited to a partition.");
  }
  return principal;
};
