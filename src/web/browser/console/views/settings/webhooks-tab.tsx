import { useSignal } from "@preact/signals";
import type { Setting, WebhookDelivery } from "../../../shared/api.ts";
import { EmptyNote } from "../../components/empty-note.tsx";
import { FailureNote } from "../../components/failure-note.tsx";
import { MoreButton } from "../../components/more-button.tsx";
import { toast } from "../../components/toasts.tsx";
import { client } from "../../state/session.ts";
import { usePages } from "../../state/use-pages.ts";
import { DeliveryTable } from "./delivery-table.tsx";
import { settingsStrings as words } from "./strings.ts";

const states = ["pending", "delivered", "failed"] as const;

interface Webhook {
  /** Its host; the rest of the address is secret. */
  url: string;
  events: readonly string[];
}

/** The webhooks that are configured, as the settings tell of them. */
const webhooksOf = (settings: readonly Setting[]): readonly Webhook[] => {
  const value = settings.find(({ name }) => name === "webhooks")?.value;
  if (!Array.isArray(value)) return [];
  return (value as Partial<Webhook>[]).map(({ url = "", events }) => ({ url, events: events ?? [] }));
};

interface WebhooksTabProps {
  /** Null where this key may not see them. */
  settings: readonly Setting[] | null;
}

/** The webhooks, and events that were sent to them in the last week, and sending those again. */
export const WebhooksTab = ({ settings }: WebhooksTabProps) => {
  const status = useSignal("");
  const pages = usePages<WebhookDelivery>(
    (query, stop) => client.list("/api/webhook/delivery", { ...query, status: status.value }, stop),
    [status.value],
  );
  const webhooks = webhooksOf(settings ?? []);
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
  if (settings !== null && webhooks.length === 0 && items.length === 0 && status.value === "")
    return (
      <EmptyNote title={words.noWebhooksTitle}>
        <p>{words.noWebhooks}</p>
        <a class="button" href="/docs/guide/webhooks" target="_blank" rel="noopener">
          {words.webhooksGuide}
        </a>
      </EmptyNote>
    );
  return (
    <div class="settings-sections">
      {webhooks.length > 0 && (
        <section>
          <h2>{words.webhooks}</h2>
          <ul class="jobs">
            {webhooks.map(({ url, events }, at) => (
              <li key={at}>
                <code>{url}</code>
                <span class="quiet">{events.length === 0 ? words.everyEvent : events.join(", ")}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
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
