import { createHash } from "node:crypto";
import type { Webhook } from "standardwebhooks";
import type { Config } from "../../config/schema.ts";
import { webhookSigner } from "../../config/webhook-secret.ts";
import type { WebhookEvent } from "../domain/records.ts";

/** An address that is told of events. */
export interface WebhookEndpoint {
  /** SHA-256 of the address, hex. */
  id: string;
  url: string;
  /** What may be shown of the address: the rest may hold a secret. */
  origin: string;
  signer: Webhook;
  wants(event: WebhookEvent): boolean;
}

/** @throws Error for a secret that the configuration's own check lets nobody start with */
export const configuredEndpoints = (webhooks: Config["webhooks"]): WebhookEndpoint[] =>
  webhooks.map(({ url, secret, events }) => {
    const signer = webhookSigner(secret);
    if (signer === null) throw new Error("webhooks: a secret cannot be used");
    return {
      id: createHash("sha256").update(url).digest("hex"),
      url,
      origin: new URL(url).origin,
      signer,
      wants: (event) => events.length === 0 || events.includes(event),
    };
  });
