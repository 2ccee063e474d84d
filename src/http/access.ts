import { authenticate, bearerKey, roleAllows } from "../access/key.ts";
import { isSignedIn, principalOfSession, sessionHeader, sessionTokenIn } from "../access/session.ts";
import { ApiError } from "../domain/errors.ts";
import { defaultOrganization } from "../domain/ids.ts";
import type { Principal } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
import type { Endpoint } from "./endpoint.ts";

type Operation = Pick<Endpoint, "access" | "method" | "wholeOrganization" | "wholeServer">;

/**
 * Authenticates the caller and checks that the operation is allowed to it, before anything else is read.
 * @param operator the principal of the operator's socket, if the request came over it
 * @returns null only for `open` and `visitor` operations without a key
 * @param path as sent
 * @throws ApiError key_missing, key_unknown, key_expired, session_ended (401), session_header_missing, role_forbidden,
 *   key_limited,
 *   organization_forbidden (403)
 */
export const authorize = (
  operation: Operation,
  { headers, path }: { headers: Headers; path: string },
  store: Pick<Store, "ages" | "keys" | "organizations" | "sessions">,
  operator: Principal | null,
): Principal | null => {
  const { access, wholeServer = false, wholeOrganization = wholeServer } = operation;
  if (access === "open") return operator;
  const principal = operator ?? principalByKey(headers, store) ?? principalByCookie(operation, headers, path, store);
  if (principal === null) {
    if (access === "visitor") return null;
    throw new ApiError("key_missing", "Send an API key: the header `Authorization: Bearer <key>`.");
  }
  if (access !== "visitor" && !roleAllows(principal.role, access)) {
    throw new ApiError(
      "role_forbidden",
      `This operation needs a key with role ${access}; yours has role ${principal.role}.`,
    );
  }
  if (wholeOrganization && principal.partitionId !== null) {
    throw new ApiError("key_limited", "This operation needs a key that is not limited to a partition.");
  }
  // Who owns the data directory owns the server, whatever organization a command works on.
  if (wholeServer && operator === null && !isOfFirst(principal, store.organizations)) {
    throw new ApiError(
      "organization_forbidden",
      `This operation concerns the whole server: it needs an admin key of the organization \`${defaultOrganization}\`; yours belongs to another organization.`,
    );
  }
  return principal;
};

const isOfFirst = ({ organizationId }: Principal, organizations: Store["organizations"]): boolean =>
  organizations.getById(organizationId)?.name === defaultOrganization;

/**
 * The caller of a `visitor` operation that came with a session's cookie but without its header. On a public chat
 * such a request is a visitor's: its page is the same to everybody. On any other chat the cookie stands for the key, so
 * that the chat can be read, and the error of a change names the missing header.
 * @param isPublic asked only where the cookie is that of a session that is still valid
 * @returns null where the caller is a visitor
 * @throws ApiError session_header_missing, role_forbidden
 */
export const authorizeSession = async (
  operation: Operation,
  { headers, path }: { headers: Headers; path: string },
  store: Pick<Store, "ages" | "keys" | "organizations" | "sessions">,
  isPublic: () => Promise<boolean>,
): Promise<Principal | null> => {
  if (operation.access !== "visitor" || !path.startsWith("/api/")) return null;
  const token = sessionTokenIn(headers.get("cookie"));
  if (token === null || !isSignedIn(store, token, Date.now()) || (await isPublic())) return null;
  return authorize({ ...operation, access: "reader" }, { headers, path }, store, null);
};

const principalByKey = (headers: Headers, { keys }: Pick<Store, "keys">): Principal | null => {
  const key = bearerKey(headers.get("authorization"));
  return key === null ? null : authenticate(keys, key, Date.now());
};

/**
 * The session's cookie stands for its key on `/api` routes. Another site could make a browser send a request with the
 * cookie, but not with the header. On a public chat a request without the header is a visitor's.
 */
const principalByCookie = (
  { access, method }: Operation,
  headers: Headers,
  path: string,
  store: Pick<Store, "ages" | "keys" | "sessions">,
): Principal | null => {
  const token = path.startsWith("/api/") ? sessionTokenIn(headers.get("cookie")) : null;
  const hasHeader = headers.get(sessionHeader) === "1";
  if (token === null || (access === "visitor" && !hasHeader)) return null;
  const principal = principalOfSession(store, token, Date.now());
  if (method === "GET" || hasHeader) return principal;
  throw new ApiError(
    "session_header_missing",
    "A request by cookie that changes something needs the header `X-Carrel-Session: 1`.",
  );
};
