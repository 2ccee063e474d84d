import type { Tenant, WebhookDelivery } from "../../domain/records.ts";
import type { Page, Paging } from "./paging.ts";

/** Webhooks sent and to be sent. */
export interface DeliveryStore {
  add(deliveries: readonly WebhookDelivery[]): Promise<void>;
  /** Whosever it is: for those who send. */
  find(id: string): Promise<WebhookDelivery | null>;
  get(tenant: Tenant, id: string): Promise<WebhookDelivery | null>;
  list(
    tenant: Tenant,
    filter: { states?: readonly WebhookDelivery["state"][]; documentId?: string },
    paging: Paging,
  ): Promise<Page<WebhookDelivery>>;
  /** Replaces what is stored of it. `durable` (true unless given): as for any write. */
  put(delivery: WebhookDelivery, durable?: boolean): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** `prepared` ones, oldest first. */
  listPrepared(limit: number): Promise<WebhookDelivery[]>;
  /** Ids of one address's `prepared` and `waiting` ones, oldest first. */
  listUnsettled(endpoint: string, limit: number): Promise<string[]>;
  /** `waiting` ones of all addresses but these. */
  listOthers(endpoints: readonly string[], limit: number): Promise<WebhookDelivery[]>;
  /**
   * Removes some of the settled ones that were made before a moment (epoch ms), or of which there are more than
   * `most`, the oldest first. @returns how many; 0: none are left
   */
  removeSettled(limits: { before: number; most: number }): Promise<number>;
}
