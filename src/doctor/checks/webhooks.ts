import { connect } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { codeOf, messageOf } from "../../domain/errors.ts";
import { type Check, type DoctorContext, fine, type Told, warning } from "./finding.ts";

const maxMs = 5_000;
/** Standard Webhooks: a secret has 24 to 64 bytes. */
const minSecretBytes = 24;
const prefix = "whsec_";

/** Looks at the secrets of the webhooks, and connects to their hosts. Nothing is sent: a receiver would take it for an event. */
export const webhooksCheck: Check = {
  name: "webhooks",
  isQuick: false,
  async run({ config, signal }) {
    return (await Promise.all(config.webhooks.map((webhook, index) => webhookFindings(webhook, index, signal)))).flat();
  },
};

const webhookFindings = async (
  { url, secret }: DoctorContext["config"]["webhooks"][number],
  index: number,
  signal: AbortSignal,
): Promise<Told[]> => {
  // The path of an address that receives events is often a secret.
  const { origin } = new URL(url);
  const setting = `webhooks[${index}]`;
  const weakness = weaknessOf(secret.reveal());
  const found: Told[] = [];
  if (weakness !== null)
    found.push(
      warning(
        `The secret of ${setting}, for ${origin}, ${weakness}.`,
        `Set ${setting}.secret to ${prefix} and the base64 of 24 to 64 random bytes: echo "${prefix}$(openssl rand -base64 32)"`,
      ),
    );
  const fault = await connectionFault(new URL(url), signal);
  if (fault !== null)
    found.push(
      warning(
        `The receiver of ${setting} at ${origin} cannot be reached: ${fault}.`,
        `Start it, or correct ${setting}.url. Events wait for it for a day and are tried again.`,
      ),
    );
  return found.length > 0 ? found : [fine(`The receiver of ${setting} at ${origin} accepts connections.`)];
};

/** What is wrong with a secret in words that say nothing of it; null if it is as Standard Webhooks defines it. */
const weaknessOf = (secret: string): string | null => {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.toString("base64") !== encoded) return "is not valid base64, which receivers expect";
  return bytes.length < minSecretBytes
    ? `is too short: ${bytes.length} bytes, where ${minSecretBytes} are needed`
    : null;
};

/** @returns why no connection was made; null where one was */
const connectionFault = (url: URL, signal: AbortSignal): Promise<string | null> =>
  new Promise((resolve) => {
    const isSecure = url.protocol === "https:";
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
    const socket = isSecure ? connectSecurely({ host, port, servername: host }) : connect({ host, port });
    const end = (fault: string | null): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      socket.destroy();
      resolve(fault);
    };
    const stop = () => end("the check was stopped");
    const timer = setTimeout(() => end(`it did not answer within ${maxMs / 1_000} s`), maxMs);
    signal.addEventListener("abort", stop, { once: true });
    socket.once(isSecure ? "secureConnect" : "connect", () => end(null));
    socket.once("error", (error) => end(codeOf(error) ?? messageOf(error)));
  });
