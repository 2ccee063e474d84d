import { expect, test } from "bun:test";
import type { WebhookDelivery } from "../../src/domain/records.ts";
import { configuredEndpoints } from "../../src/webhooks/endpoint.ts";
import { createOutbox } from "../../src/webhooks/outbox.ts";
import { createSender } from "../../src/webhooks/sender.ts";
import { sampleDocument } from "../../tools/samples/records.ts";
import { openTemporaryStore, silentLog } from "../store/open-temporary-store.ts";
import { secret, serveReceiver } from "./receiver.ts";

test("more than fit into memory are sent all the same, each once; a receiver that comes back gets them at once", async () => {
  const { store, dispose } = await openTemporaryStore();
  const receiver = serveReceiver();
  for (let failures = 0; failures < 8; failures++) receiver.answers.push(new Response("no", { status: 503 }));
  const [endpoint] = configuredEndpoints([{ url: receiver.url, secret, events: [] }]);
  if (endpoint === undefined) throw new Error("one was configured");
  const { deliveries } = store;
  let onReady = (_delivery: WebhookDelivery): void => {};
  const outbox = createOutbox({
    endpoints: [endpoint],
    deliveries,
    baseUrl: () => "http://carrel.example",
    areEmbeddedAtOnce: true,
    onReady: (delivery) => onReady(delivery),
  });
  const happen = () => outbox.around("document.processed", sampleDocument(), async () => {});
  await Promise.all(Array.from({ length: 60 }, happen));
  const sender = createSender({
    endpoint,
    deliveries,
    ages: store.ages,
    isPrepared: outbox.isPrepared,
    log: silentLog,
    maxHeld: 10,
  });
  // Half of an earlier run, half while it sends.
  sender.start();
  onReady = sender.accept;
  await Promise.all(Array.from({ length: 60 }, happen));
  await receiver.waitFor(120);
  // The last one is received before it is known to be: closing then would call it off.
  const delivered = async (): Promise<number> => {
    const page = { limit: 1, skip: 0, sortOrder: "desc" } as const;
    const tenant = { organizationId: "organization-1", partitionId: null };
    return (await deliveries.list(tenant, { states: ["delivered"] }, page)).total;
  };
  while ((await delivered()) < 120) await Bun.sleep(10);
  await sender.close();
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(120);
  expect(receiver.attempts).toHaveLength(128);
  expect(await delivered()).toBe(120);
  await receiver.stop();
  await dispose();
});
