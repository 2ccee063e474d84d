import type { WebhookDelivery } from "../../../shared/api.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { type Mood, StateWord } from "../../components/state-word.tsx";
import { settingsStrings as words } from "./strings.ts";

const moods: Record<WebhookDelivery["status"], Mood> = { pending: "wait", delivered: "good", failed: "bad" };

interface DeliveryTableProps {
  deliveries: readonly WebhookDelivery[];
  onSendAgain(delivery: WebhookDelivery): void;
}

export const DeliveryTable = ({ deliveries, onSendAgain }: DeliveryTableProps) => (
  <div class="table-frame stacks">
    <table class="list">
      <thead>
        <tr>
          <th>{words.event}</th>
          <th>{words.address}</th>
          <th>{words.deliveryState}</th>
          <th class="number">{words.attempts}</th>
          <th>{words.when}</th>
          <th>
            <span class="unseen">{words.sendAgain}</span>
          </th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  </div>
);
