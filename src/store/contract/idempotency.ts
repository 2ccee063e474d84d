import type { IdempotentRequest } from "../../domain/records.ts";

/** Requests that had an idempotency key. */
export interface IdempotencyStore {
  get(id: string): Promise<IdempotentRequest | null>;
  put(request: IdempotentRequest): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes some that are older. @returns how many were removed; 0: none are left */
  removeOlder(ageMs: number): Promise<number>;
}
