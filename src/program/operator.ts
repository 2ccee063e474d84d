import { ApiError } from "../domain/errors.ts";
import { defaultOrganization } from "../domain/ids.ts";
import type { Principal } from "../domain/records.ts";
import type { RequestHandler } from "../http/handler.ts";
import { problemResponse } from "../http/problem.ts";
import type { Store } from "../store/contract.ts";

/** The organization that a command works on; percent-encoded, since a header takes no Unicode. Absent: `default`. */
export const organizationHeader = "x-carrel-organization";

/** `true` creates the organization if it does not exist: only the operator can. */
export const makeOrganizationHeader = "x-carrel-make-organization";

/** The user of the first start. */
export const defaultUser = "admin";

/**
 * Answers requests of the data directory's owner, who is an administrator of whatever organization the request names.
 * @param address where the server listens: answers contain it, since a socket has no host name
 */
export const createOperatorHandler =
  (store: Pick<Store, "organizations">, handle: RequestHandler, address: string) =>
  async (request: Request): Promise<Response> => {
    let operator: Principal;
    try {
      operator = await operatorOf(store, request.headers);
    } catch (error) {
      return problemResponse(error, Bun.randomUUIDv7(), { path: new URL(request.url).pathname, baseUrl: address });
    }
    request.headers.set("host", new URL(address).host);
    return handle(request, { peer: null, operator, keepOpen: () => undefined });
  };

const operatorOf = async (store: Pick<Store, "organizations">, headers: Headers): Promise<Principal> => {
  const name = organizationName(headers.get(organizationHeader));
  const mayMake = headers.get(makeOrganizationHeader) === "true";
  const organization = mayMake ? await store.organizations.upsert(name) : await store.organizations.getByName(name);
  if (organization === null)
    throw new ApiError(
      "invalid_request",
      `There is no organization ${JSON.stringify(name)}: \`carrel key create --organization\` makes one.`,
    );
  return { organizationId: organization.id, partitionId: null, userId: defaultUser, role: "admin", keyId: null };
};

/** Owner of the documents from configured folders and sites. */
export const configuredPrincipal = async (store: Pick<Store, "organizations">): Promise<Principal> => {
  const { id } = await store.organizations.upsert(defaultOrganization);
  return { organizationId: id, partitionId: null, userId: defaultUser, role: "admin", keyId: null };
};

const organizationName = (encoded: string | null): string => {
  if (encoded === null) return defaultOrganization;
  const fault = new ApiError(
    "invalid_request",
    "An organization's name has 1 to 255 characters, none of them a control character.",
  );
  try {
    const name = decodeURIComponent(encoded).trim();
    if (name === "" || name.length > 255 || /\p{Cc}|\p{Cs}/u.test(name)) throw fault;
    return name;
  } catch {
    throw fault;
  }
};
