import { randomBytes } from "node:crypto";
import { createSigner } from "../domain/signature.ts";

/** A visitor of public chats: the bearer of a token, distinguished from other visitors by its id. */
export interface Visitor {
  id: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

const idBytes = 16;
const form = /^v1\.([A-Za-z0-9_-]{22})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/;

const signer = (secret: Uint8Array) => createSigner(secret, "visitor");

/** @returns a new visitor */
export const newVisitor = (expiresAt: number): Visitor => ({
  id: randomBytes(idBytes).toString("base64url"),
  expiresAt,
});

/** `v1.<id>.<expiry in ms, base 36>.<signature>`, in characters that cookies and headers carry as they are. */
export const visitorToken = (secret: Uint8Array, visitor: Visitor): string => {
  const payload = `v1.${visitor.id}.${visitor.expiresAt.toString(36)}`;
  return `${payload}.${signer(secret).sign(payload)}`;
};

/** Whether it has expired, callers tell. @returns null for a token that is foreign or was altered */
export const readVisitorToken = (secret: Uint8Array, token: string): Visitor | null => {
  const match = form.exec(token);
  if (match === null) return null;
  const [, id = "", expiry = "", signature = ""] = match;
  const isOwn = signer(secret).isSigned(`v1.${id}.${expiry}`, signature);
  return isOwn ? { id, expiresAt: Number.parseInt(expiry, 36) } : null;
};
