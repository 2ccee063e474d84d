import type { Feedback, KeptReceipt, Tenant } from "../../domain/records.ts";
import type { Page, Paging } from "./paging.ts";

export interface ReceiptStore {
  /** Keeps a receipt. It is written a moment later, with others: a crash may lose the last ones. */
  add(receipt: KeptReceipt): void;
  /** @param tenant null: of any organization @throws ApiError data_damaged */
  get(tenant: Tenant | null, id: string): Promise<KeptReceipt | null>;
  ofMessage(tenant: Tenant | null, messageId: string): Promise<KeptReceipt | null>;
  /** Removes those of all organizations that are older. */
  removeOlder(ageMs: number): Promise<void>;
}

export interface FeedbackStore {
  /** Adds it, or replaces the one of its id. */
  put(feedback: Feedback): Promise<void>;
  list(
    tenant: Tenant,
    filter: { rating?: Feedback["rating"]; since?: number },
    paging: Paging,
  ): Promise<Page<Feedback>>;
  /** Those of some ids. @param tenant null: of any organization */
  ofIds(tenant: Tenant | null, ids: readonly string[]): Promise<Feedback[]>;
  /** @returns false if there is none */
  remove(tenant: Tenant, id: string): Promise<boolean>;
}
