import { createHash } from "node:crypto";
import type { Webhook } from "standardwebhooks";
import type { Config } from "../../config/schema.ts";
import { webhookSigner } from "../../config/values.ts";
import type { WebhookEvent } from "../domain/records.ts";

/** A configured address that receives events. */
export interface WebhookEndpoint {
  /** SHA-256 of the address, hex. */
  id: string;
  url: string;
  /** The part of the address that may be shown: the rest may hold a secret. */
  origin: string;
  signer: Webhook;
  wants(event: WebhookEvent): boolean;
}

/** @throws Error for an unusable secret, which the check of the configuration refuses earlier */
export const configuredEndpoints = (webhooks: Config["webhooks"]): WebhookEndpoint[] =>
  webhooks.map(({ url, secret, events }) => {
    const signer = webhookSigner(secret.reveal());
    if (signer === null) throw new Error("webhooks: a secret cannot be used");
    return {
      id: createHash("sha256").update(url).digest("hex"),
      url,
      origin: new URL(url).origin,
      signer,
      wants: (event) => events.length === 0 || events.includes(event),
    };
  });
