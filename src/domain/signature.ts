import { createHmac, timingSafeEqual } from "node:crypto";

/** Signs texts that others keep and send back, and tells its own signatures: 43 characters of base64url. */
interface Signer {
  sign(payload: string): string;
  isSigned(payload: string, signature: string): boolean;
}

/** HMAC-SHA-256. @param purpose keeps this use of the secret apart from any other */
export const createSigner = (secret: Uint8Array, purpose: string): Signer => {
  const sign = (payload: string): string =>
    createHmac("sha256", secret).update(`carrel ${purpose} ${payload}`).digest("base64url");
  return { sign, isSigned: (payload, signature) => isSameSecret(signature, sign(payload)) };
};

/** Compares in a time that does not tell where the two differ. */
export const isSameSecret = (one: string, other: string): boolean => {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)];
  return given.length === expected.length && timingSafeEqual(given, expected);
};
