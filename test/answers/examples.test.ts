import { expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { defaultConfig } from "../../config/load.ts";
import { createVisitorLimits } from "../../src/access/visitor-limits.ts";
import { questionEndpoints } from "../../src/answers/routes.ts";
import { chatEndpoints } from "../../src/chats/routes.ts";
import { createValidator } from "../../src/http/schema/validate.ts";
import { createRates } from "../../src/limits/rates.ts";
import type { Store } from "../../src/store/contract.ts";
import { withoutModel } from "../serve-endpoints.ts";
import { silentLog } from "../store/open-temporary-store.ts";

const noModel = { model: "none", embed: async () => [], fusionWeight: () => 0 };

// Only the declarations are looked at; nothing is handled.
const deps = {
  config: defaultConfig(),
  log: silentLog,
  store: {} as Store,
  answerModel: null,
  passageModel: noModel,
  meaningModel: noModel,
  rates: createRates({ settings: defaultConfig(), keyLimits: { get: () => null } }),
  embedder: withoutModel,
  retrieve: () => Promise.reject(new Error("not asked for")),
};

test.each(
  [...questionEndpoints(deps), ...chatEndpoints(deps, createVisitorLimits(defaultConfig().publicChats))].map(
    (one) => [`${one.method} ${one.path}`, one] as const,
  ),
)("the example of %s fits its schemas", (_name, endpoint) => {
  const { request = {}, response } = endpoint.example ?? { response: undefined };
  expect([...Value.Errors(endpoint.responses[200] as TSchema, response)].map(({ path }) => path)).toEqual([]);
  if (endpoint.body !== undefined) expect(() => createValidator(endpoint.body as TSchema)(request)).not.toThrow();
});
