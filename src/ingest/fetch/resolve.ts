import dns from "node:dns";
import { ApiError } from "../../domain/errors.ts";
import { literalAddress } from "./address.ts";
import { fetchFailed, shown } from "./failure.ts";

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Name to addresses. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** The system's resolver. */
export const systemResolve: Resolve = async (hostname) =>
  (await dns.promises.lookup(hostname, { all: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }));

/** The addresses of a URL's host. @throws ApiError address_refused where one of them is not allowed; fetch_failed */
export const allowedAddresses = async (
  url: URL,
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
): Promise<ResolvedAddress[]> => {
  const literal = literalAddress(url.hostname);
  const found: ResolvedAddress[] = literal
    ? [{ address: literal, family: literal.includes(":") ? 6 : 4 }]
    : await resolve(url.hostname.replace(/\.$/, ""));
  if (found.length === 0) throw fetchFailed(url, "no such host");
  if (!found.every(({ address }) => isAllowed(address))) {
    throw new ApiError(
      "address_refused",
      `${shown(url)} leads to an address of this machine or of a private network. ` +
        "Set fetch.allowPrivateAddresses to true to allow such addresses.",
    );
  }
  return found;
};
