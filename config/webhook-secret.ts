import { Webhook } from "standardwebhooks";

/**
 * What signs with a webhook's secret, as Standard Webhooks has it: `whsec_` and base64, or base64 alone. Printable
 * ASCII that is no base64 is taken as it stands (the library's `format: "raw"`).
 * @returns null where no key can be made of it
 */
export const webhookSigner = (secret: string): Webhook | null => {
  const isPrefixed = secret.startsWith("whsec_");
  const encoded = isPrefixed ? secret.slice("whsec_".length) : secret;
  if (isBase64(encoded)) return new Webhook(secret);
  return !isPrefixed && /^[\x21-\x7e]+$/.test(secret) ? new Webhook(secret, { format: "raw" }) : null;
};

/** With padding, as the library decodes it. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text) && canDecode(text);

/** Bits left over at the end must be zero for the library. */
const canDecode = (text: string): boolean => Buffer.from(text, "base64").toString("base64") === text;
