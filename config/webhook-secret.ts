import { Webhook } from "standardwebhooks";

/**
 * Signs with a webhook's secret as Standard Webhooks defines it: `whsec_` and base64, or base64 alone. Other printable
 * ASCII is used as it is (the library's `format: "raw"`).
 * @returns null if the secret cannot be used
 */
export const webhookSigner = (secret: string): Webhook | null => {
  const isPrefixed = secret.startsWith("whsec_");
  const encoded = isPrefixed ? secret.slice("whsec_".length) : secret;
  if (isBase64(encoded)) return new Webhook(secret);
  return !isPrefixed && /^[\x21-\x7e]+$/.test(secret) ? new Webhook(secret, { format: "raw" }) : null;
};

/** With padding, as the library expects it. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text) && canDecode(text);

/** The library requires unused bits at the end to be zero. */
const canDecode = (text: string): boolean => Buffer.from(text, "base64").toString("base64") === text;
