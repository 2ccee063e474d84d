import { useSignal } from "@preact/signals";
import type { Setting, WebhookDelivery } from "../../../shared/api.ts";
import { EmptyNote } from "../../components/empty-note.tsx";
import { FailureNote } from "../../components/failure-note.tsx";
import { MoreButton } from "../../components/more-button.tsx";
import { toast } from "../../components/toasts.tsx";
import { client } from "../../state/session.ts";
import { usePages } from "../../state/use-pages.ts";
import { strings } from "../../strings.ts";
import { DeliveryTable } from "./delivery-table.tsx";

const words = strings.settings;
const states = ["pending", "delivered", "failed"] as const;

/** Events that were sent to webhooks in the last week, and sending them again. */
export const WebhooksTab = ({ settings }: { settings: readonly Setting[] }) => {
  const status = useSignal("");
  const pages = usePages<WebhookDelivery>(
    (query, stop) => client.list("/api/webhook/delivery", { ...query, status: status.value }, stop),
    [status.value],
  );
  const webhooks = settings.find(({ name }) => name === "webhooks")?.value;
  const isConfigured = Array.isArray(webhooks) && webhooks.length > 0;
  const { items = [], total, error, reload } = pages;
  const sendAgain = async ({ id }: WebhookDelivery) => {
    try {
      await client.send("POST", `/api/webhook/delivery/${id}/replay`);
      toast(words.sentAgain);
      reload();
    } catch (failure) {
      toast(failure instanceof Error ? failure.message : String(failure), "failed");
    }
  };
  if (!isConfigured && items.length === 0 && status.value === "")
    return (
      <EmptyNote title={words.noWebhooksTitle}>
        <p>{words.noWebhooks}</p>
      </EmptyNote>
    );
  return (
    <div class="settings-sections">
      <div class="actions">
        <h2>{words.deliveries}</h2>
        {total !== null && <span class="quiet count">{total.toLocaleString()}</span>}
        <select
          aria-label={words.deliveryState}
          onChange={(event) => {
            status.value = event.currentTarget.value;
          }}
        >
          <option value="">{words.allStates}</option>
          {states.map((state) => (
            <option key={state} value={state}>
              {words.delivery[state]}
            </option>
          ))}
        </select>
      </div>
      <FailureNote error={error} onRetry={reload} />
      {items.length === 0 ? (
        <p class="quiet">{words.noDeliveries}</p>
      ) : (
        <DeliveryTable deliveries={items} onSendAgain={sendAgain} />
      )}
      <MoreButton pages={pages} />
    </div>
  );
};
