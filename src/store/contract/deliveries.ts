import type { Tenant, WebhookDelivery } from "../../domain/records.ts";
import type { Page, Paging } from "./paging.ts";

/** Webhooks that were sent or wait to be sent. */
export interface DeliveryStore {
  add(deliveries: readonly WebhookDelivery[]): Promise<void>;
  /** In any organization: for the sender. */
  find(id: string): Promise<WebhookDelivery | null>;
  get(tenant: Tenant, id: string): Promise<WebhookDelivery | null>;
  list(
    tenant: Tenant,
    filter: { states?: readonly WebhookDelivery["state"][]; documentId?: string },
    paging: Paging,
  ): Promise<Page<WebhookDelivery>>;
  /** Replaces the stored delivery. @param durable whether to wait until it is on disk (default true) */
  put(delivery: WebhookDelivery, durable?: boolean): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Deliveries that are `prepared`, oldest first. */
  listPrepared(limit: number): Promise<WebhookDelivery[]>;
  /** Ids of the deliveries to one address that are `prepared` or `waiting`, oldest first. */
  listUnsettled(endpoint: string, limit: number): Promise<string[]>;
  /** Deliveries that are `waiting`, to all addresses but these. */
  listOthers(endpoints: readonly string[], limit: number): Promise<WebhookDelivery[]>;
  /**
   * Removes some settled deliveries, oldest first: those that are older, else those beyond the newest `most`.
   * @returns how many were removed; 0: none are left
   */
  removeSettled(limits: { olderThanMs: number; most: number }): Promise<number>;
}
