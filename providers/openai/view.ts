import { addressOf, type Destination } from "../http/destination.ts";
import type { ServerSettings, ServerView } from "../http/provider.ts";
import { createOpenAiOutbound } from "./connection.ts";
import { factsInList, listOpenAiModels } from "./model-list.ts";

/** An OpenAI-compatible server as the operator looks at it. */
export const viewOpenAi = (service: Destination["service"], settings: ServerSettings): ServerView => {
  const outbound = createOpenAiOutbound(service, settings);
  return {
    address: addressOf(outbound),
    needsTrial: true,
    offered: async (signal) => (await listOpenAiModels(outbound, signal))?.map(({ id }) => id) ?? null,
    factsOf: async (model, signal) => factsInList(await listOpenAiModels(outbound, signal), model, outbound),
  };
};
