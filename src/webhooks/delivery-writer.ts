import type { WebhookDelivery } from "../domain/records.ts";
import type { DeliveryStore } from "../store/contract.ts";

/** Writes deliveries to the store in the background, so that the next ones are sent meanwhile. */
export interface DeliveryWriter {
  /** Writes under way. */
  readonly size: number;
  has(id: string): boolean;
  /** @param isDurable whether a power cut may not take it back */
  write(delivery: WebhookDelivery, isDurable: boolean): void;
  /** Waits for the last write of this delivery. */
  settled(id: string): Promise<void>;
  allSettled(): Promise<void>;
}

interface DeliveryWriterOptions {
  deliveries: Pick<DeliveryStore, "put">;
  onFailure(id: string, error: unknown): void;
  /** Called after each write, also after one that failed. */
  onEnd(id: string): void;
}

export const createDeliveryWriter = ({ deliveries, onFailure, onEnd }: DeliveryWriterOptions): DeliveryWriter => {
  const running = new Map<string, Promise<void>>();
  return {
    get size() {
      return running.size;
    },
    has: (id) => running.has(id),
    write(delivery, isDurable) {
      const { id } = delivery;
      const written = deliveries
        .put(delivery, isDurable)
        .catch((error: unknown) => onFailure(id, error))
        .finally(() => {
          if (running.get(id) === written) running.delete(id);
          onEnd(id);
        });
      running.set(id, written);
    },
    settled: async (id) => await running.get(id),
    allSettled: async () => void (await Promise.all(running.values())),
  };
};
