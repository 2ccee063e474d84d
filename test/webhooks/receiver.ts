import { Webhook } from "standardwebhooks";
import { Secret } from "../../config/secret.ts";
import { atEnd } from "../at-end.ts";
import { until } from "../until.ts";

interface ReceivedHook {
  id: string;
  type: string;
  timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
  data: any;
}

/** A receiver on loopback that takes nothing whose signature the library's own verifier does not accept. */
interface Receiver {
  url: string;
  received: ReceivedHook[];
  /** Every attempt's `webhook-id`, refused ones included. */
  attempts: string[];
  unverified: number;
  /** What the next attempts are answered with, in order; afterwards 204. */
  answers: Response[];
  /** Waits until so many were taken. */
  waitFor(count: number): Promise<ReceivedHook[]>;
  stop(): Promise<void>;
}

export const secretText = `whsec_${Buffer.from("a secret of twenty-four b").toString("base64")}`;
/** As the configuration holds it. */
export const secret = new Secret(secretText);

export const serveReceiver = (port = 0, signer = new Webhook(secretText)): Receiver => {
  const receiver: Omit<Receiver, "url" | "waitFor" | "stop"> = {
    received: [],
    attempts: [],
    unverified: 0,
    answers: [],
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    async fetch(request) {
      const body = await request.text();
      const id = request.headers.get("webhook-id") ?? "";
      receiver.attempts.push(id);
      const answer = receiver.answers.shift();
      if (answer !== undefined) return answer;
      try {
        const { type, timestamp, data } = signer.verify(body, Object.fromEntries(request.headers)) as ReceivedHook;
        receiver.received.push({ id, type, timestamp, data });
      } catch {
        receiver.unverified += 1;
        return new Response("not signed", { status: 400 });
      }
      return new Response(null, { status: 204 });
    },
  });
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${server.port}/hook?token=hidden`,
    async waitFor(count: number) {
      await until(() => receiver.received.length >= count, `${count} webhooks come`);
      return receiver.received;
    },
    stop: atEnd(() => server.stop(true)),
  });
};
