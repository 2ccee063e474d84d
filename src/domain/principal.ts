import type { Role, Tenant } from "./records.ts";

/** Who calls, as the key (or the operator's socket) says. */
export interface Principal extends Tenant {
  readonly userId: string;
  readonly role: Role;
  /** Null on the operator's socket. */
  readonly keyId: string | null;
}

/** Whether a caller is told what a model or parser server said, and its address. */
export const isToldReasons = (reader: Reader): boolean => reader?.role === "admin";

/** Who reads an answer: a visitor is null. */
export type Reader = Pick<Principal, "role"> | null;
