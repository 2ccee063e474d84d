import { useSignal } from "@preact/signals";
import { messageOf } from "../../../../../domain/errors.ts";
import type { Setting, WebhookDelivery } from "../../../shared/api.ts";
import { Select, writeTo } from "../../../shared/controls.tsx";
import { type Mood, RelativeTime, StateWord } from "../../components/facts.tsx";
import { ListTable, MoreButton } from "../../components/lists.tsx";
import { EmptyNote, FailureNote } from "../../components/notes.tsx";
import { usePages } from "../../state/loaded.ts";
import { toast } from "../../state/messages.ts";
import { client } from "../../state/session.ts";
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
      toast(messageOf(failure), "failed");
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
        <Select
          aria-label={words.deliveryState}
          value={status.value}
          options={[["", words.allStates], ...states.map((state) => [state, words.delivery[state]] as const)]}
          onChoose={writeTo(status)}
        />
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

const moods: Record<WebhookDelivery["status"], Mood> = { pending: "wait", delivered: "good", failed: "bad" };

interface DeliveryTableProps {
  deliveries: readonly WebhookDelivery[];
  onSendAgain(delivery: WebhookDelivery): void;
}

const DeliveryTable = ({ deliveries, onSendAgain }: DeliveryTableProps) => (
  <ListTable
    stacks
    columns={[
      words.event,
      words.address,
      words.deliveryState,
      <th key="attempts" class="number">
        {words.attempts}
      </th>,
      words.when,
    ]}
    actions={words.sendAgain}
  >
    {deliveries.map((delivery) => {
      const { id, event, documentId, endpoint, status, attempts, error, createdAt, nextAttemptAt } = delivery;
      return (
        <tr key={id}>
          <td class="short">
            <code>{event}</code>{" "}
            {event !== "document.deleted" && <a href={`/documents/${documentId}`}>{words.openDocument}</a>}
          </td>
          <td class="name">{endpoint}</td>
          <td class="name">
            <StateWord mood={moods[status]}>{words.delivery[status]}</StateWord>
            {error !== null && <p class="quiet">{error}</p>}
            {status === "pending" && nextAttemptAt !== null && (
              <p class="quiet">
                {words.nextAttempt} <RelativeTime at={nextAttemptAt} />
              </p>
            )}
          </td>
          <td class="number" data-label={words.attempts}>
            {attempts}
          </td>
          <td class="time quiet">
            <RelativeTime at={createdAt} />
          </td>
          <td>
            <div class="row-actions">
              <button
                type="button"
                class="quiet"
                aria-label={words.sendThatAgain(event, endpoint)}
                onClick={() => onSendAgain(delivery)}
              >
                {words.sendAgain}
              </button>
            </div>
          </td>
        </tr>
      );
    })}
  </ListTable>
);
