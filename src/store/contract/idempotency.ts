import type { IdempotentRequest } from "../../domain/records.ts";

/** Requests that had an idempotency key. */
export interface IdempotencyStore {
  get(id: string): Promise<IdempotentRequest | null>;
  put(request: IdempotentRequest): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes some that were created before a moment (epoch ms). @returns how many were removed; 0: none are left */
  removeBefore(createdAt: number): Promise<number>;
}
