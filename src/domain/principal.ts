import type { Role, Tenant } from "./records.ts";

/** The caller, as identified by the key or the operator's socket. */
export interface Principal extends Tenant {
  readonly userId: string;
  readonly role: Role;
  /** Null on the operator's socket. */
  readonly keyId: string | null;
  /** The key was given by a session's cookie. */
  readonly isSession?: boolean;
}

/** Whether a caller may see the messages and addresses of model and parser servers. */
export const seesReasons = (reader: Reader): boolean => reader?.role === "admin";

/** The reader of an answer; null for a visitor. */
export type Reader = Pick<Principal, "role"> | null;
