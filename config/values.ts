import { Webhook } from "standardwebhooks";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Reads a time as the configuration and the commands write it: `500ms`, `3s`, `15m`, `24h`, `30d`.
 * @returns milliseconds; null if the text is not a time or too large for an exact number
 */
export const parseDuration = (text: string): number | null => {
  const match = /^(\d+)(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return null;
  const durationMs = Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
  return Number.isSafeInteger(durationMs) ? durationMs : null;
};

/** A bucket's name as Amazon allows it, and a prefix without special characters. */
const s3Address = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/;

/** Whether a text is an address, and not the path of a folder; `s3:bucket` is meant as one too. */
export const isAddress = (text: string): boolean => /^(?:[a-z0-9+]+:\/\/|s3:)/i.test(text);

/** The bucket and prefix of `s3://bucket/prefix`; null if the text is no such address. */
export const parseS3Address = (text: string): { bucket: string; prefix: string } | null => {
  const match = s3Address.exec(text);
  if (match === null) return null;
  const prefix = (match[2] ?? "").split("/").filter((part) => part !== "");
  if (prefix.some((part) => part === "." || part === "..")) return null;
  return { bucket: match[1] ?? "", prefix: prefix.join("/") };
};

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
