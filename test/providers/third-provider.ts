import { createConfiguredOutbound } from "../../providers/http/outbound.ts";
import type { AnswerProvider } from "../../providers/http/provider.ts";
import { estimateTokens } from "../../providers/tokens/estimate-tokens.ts";

/** All that a provider needs to write: twenty lines. */
export const plainText: AnswerProvider = {
  create(settings, model) {
    const outbound = createConfiguredOutbound("answer", settings, settings.baseUrl ?? "http://127.0.0.1:8080");
    return {
      provider: "plainText",
      model,
      estimateTokens,
      contextTokens: async () => settings.contextTokens ?? 4_096,
      async *chat(turns, signal) {
        const request = { method: "POST", body: JSON.stringify({ model, turns }) };
        const response = await outbound.fetchFor(signal)(`${outbound.baseUrl}/say`, request);
        yield { type: "delta", text: await response.text() };
        yield { type: "done", finishReason: "stop", promptTokens: null, outputTokens: null, model };
      },
    };
  },
  view: (_service, { baseUrl }) => ({
    address: baseUrl ?? "http://127.0.0.1:8080",
    needsTrial: true,
    offered: async () => null,
    factsOf: async () => ({ kind: null, contextTokens: null, parameters: null }),
  }),
};
