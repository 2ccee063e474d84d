import { type Static, Type } from "@sinclair/typebox";
import { notFound, requireRecordId } from "../domain/ids.ts";
import type { WebhookDelivery } from "../domain/records.ts";
import { isoTime } from "../domain/times.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { listResponse } from "../http/respond.ts";
import {
  choiceField,
  idField,
  idParams,
  nullable,
  pagingFields,
  scopeField,
  timeField,
  toPaging,
} from "../http/schema/fields.ts";
import type { Store } from "../store/contract.ts";
import type { Webhooks } from "./webhooks.ts";

const statuses = ["pending", "delivered", "failed"] as const;
const events = ["document.processed", "document.failed", "document.deleted"] as const;

const statesOf: Record<(typeof statuses)[number], WebhookDelivery["state"][]> = {
  pending: ["prepared", "waiting"],
  delivered: ["delivered"],
  failed: ["abandoned"],
};

const deliverySchema = Type.Object(
  {
    id: Type.String({ description: "Identifier of the delivery, sent as `webhook-id` at every attempt." }),
    event: choiceField(events, { description: "What happened to the document." }),
    documentId: Type.String({ description: "Document that the event is about." }),
    endpoint: Type.String({ description: "Scheme and host of the address; the rest may hold a secret." }),
    status: choiceField(statuses, {
      description: "`pending`: not delivered yet, tried again. `failed`: given up after a day.",
    }),
    attempts: Type.Integer({ description: "Number of attempts." }),
    error: nullable(Type.String({ description: "Why the last attempt failed." })),
    createdAt: timeField("When the event happened."),
    nextAttemptAt: nullable(timeField("When the next attempt is due.")),
    settledAt: nullable(timeField("When it was delivered or given up.")),
  },
  { $id: "WebhookDelivery", description: "An event for one configured address." },
);

const deliveryExample: Static<typeof deliverySchema> = {
  id: "0197a1c2-7d10-7aa1-8c52-90f3a1b4c5d6",
  event: "document.processed",
  documentId: "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23",
  endpoint: "https://hooks.example",
  status: "pending",
  attempts: 2,
  error: "the receiver answered 500",
  createdAt: "2026-01-31T09:30:00.041Z",
  nextAttemptAt: "2026-01-31T09:30:07.902Z",
  settledAt: null,
};

const timeOrNull = (epochMs: number | null): string | null => (epochMs === null ? null : isoTime(epochMs));

const deliveryJson = (delivery: WebhookDelivery): Static<typeof deliverySchema> => ({
  id: delivery.id,
  event: delivery.event,
  documentId: delivery.documentId,
  endpoint: delivery.origin,
  status: statuses.find((status) => statesOf[status].includes(delivery.state)) ?? "pending",
  attempts: delivery.attempts,
  error: delivery.error,
  createdAt: isoTime(delivery.createdAt),
  nextAttemptAt: timeOrNull(delivery.nextAttemptAt),
  settledAt: timeOrNull(delivery.settledAt),
});

/** `/api/webhook/delivery`: the events for the configured addresses, for admins. */
export const webhookEndpoints = ({ store, webhooks }: { store: Store; webhooks: Webhooks }): Endpoint[] =>
  [
    endpoint({
      method: "GET",
      path: "/api/webhook/delivery",
      operationId: "listWebhookDeliveries",
      access: "admin",
      tag: "Webhooks",
      summary: "List webhook deliveries",
      description:
        "Newest first; `X-Total-Count` holds the number of all that match. Delivered and failed ones are kept for a week.",
      query: Type.Object({
        ...pagingFields,
        status: Type.Optional(choiceField(statuses, { description: "Only deliveries in this state." })),
        documentId: Type.Optional(scopeField(idField("Only deliveries of events about this document."))),
      }),
      responses: { 200: Type.Array(deliverySchema) },
      errors: ["invalid_request"],
      example: { response: [deliveryExample] },
      async handle({ principal, query }) {
        const { status, documentId } = query;
        const filter = {
          ...(status === undefined ? {} : { states: statesOf[status] }),
          ...(documentId === undefined ? {} : { documentId }),
        };
        return listResponse(await store.deliveries.list(principal, filter, toPaging(query)), deliveryJson);
      },
    }),
    endpoint({
      method: "POST",
      path: "/api/webhook/delivery/:id/replay",
      operationId: "replayWebhookDelivery",
      access: "admin",
      tag: "Webhooks",
      summary: "Send a webhook again",
      description:
        "At once and, if that fails, for another day; whether it was delivered before or not. `webhook-id` and body stay the same.",
      params: idParams,
      responses: { 200: deliverySchema },
      errors: ["delivery_not_found", "webhook_gone"],
      example: { response: { ...deliveryExample, attempts: 0, error: null } },
      async handle({ principal, params }) {
        const id = requireRecordId(params.id, "delivery_not_found");
        const delivery = await store.deliveries.get(principal, id);
        if (delivery === null) throw notFound("delivery_not_found");
        return deliveryJson(await webhooks.replay(delivery));
      },
    }),
  ] as Endpoint[];
