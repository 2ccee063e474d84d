import type { IdempotentRequest } from "../../domain/records.ts";

/** Requests that carried an idempotency key. */
export interface IdempotencyStore {
  get(id: string): Promise<IdempotentRequest | null>;
  put(request: IdempotentRequest): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes some of those made before a moment (epoch ms). @returns how many; 0: none are left */
  removeBefore(createdAt: number): Promise<number>;
}
