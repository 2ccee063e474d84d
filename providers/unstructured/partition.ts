import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { UnstructuredClientCore } from "unstructured-client/core.js";
import { generalPartition } from "unstructured-client/funcs/generalPartition.js";
import { SDKHooks } from "unstructured-client/hooks/hooks.js";
import { HTTPClient } from "unstructured-client/lib/http.js";
import { Strategy } from "unstructured-client/sdk/models/shared/index.js";
import { brokenAnswer, libraryFailure } from "../http/call-failure.ts";
import type { Outbound } from "../http/outbound.ts";

/** Of a page or a depth: no document has more. */
const maxNumber = 1_000_000;

/** The part of an element that is used; the server sends more. */
const elementSchema = Type.Object({
  type: Type.String(),
  text: Type.String(),
  metadata: Type.Object({
    filetype: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    page_number: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: maxNumber }), Type.Null()])),
    page_name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    category_depth: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: maxNumber }), Type.Null()])),
    text_as_html: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    subject: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    sent_from: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
    sent_to: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  }),
});
export type Element = Static<typeof elementSchema>;

const answerSchema = Type.Array(elementSchema);

/**
 * One call of the vendor's library. Its hooks are left out: they split PDFs (and drop pages that fail), cut a path off
 * the server's address and print to the console. `strategy=fast` asks for no layout models, which many servers lack.
 * @throws ProviderError
 */
export const partition = async (
  outbound: Outbound,
  file: { bytes: Uint8Array<ArrayBuffer>; name: string },
  signal: AbortSignal,
): Promise<Element[]> => {
  const hooks = new SDKHooks();
  hooks.sdkInitHooks = [];
  hooks.beforeRequestHooks = [];
  hooks.afterSuccessHooks = [];
  hooks.afterErrorHooks = [];
  const options = {
    hooks,
    serverURL: outbound.baseUrl,
    httpClient: new HTTPClient({ fetcher: outbound.fetchFor(signal) }),
    ...(outbound.apiKey === null ? {} : { security: { apiKeyAuth: outbound.apiKey.reveal() } }),
  };
  // It throws over some odd answers, and returns its failure over others.
  const result = await generalPartition(
    new UnstructuredClientCore(options),
    {
      partitionParameters: {
        files: { content: file.bytes, fileName: file.name },
        strategy: Strategy.Fast,
        splitPdfPage: false,
      },
    },
    { retries: { strategy: "none" }, fetchOptions: { signal } },
  ).catch((error: unknown) => {
    throw libraryFailure(error, outbound, signal);
  });
  if (!result.ok) throw libraryFailure(result.error, outbound, signal);
  const answer: unknown = result.value;
  if (!Value.Check(answerSchema, answer)) throw brokenAnswer(outbound, "no list of elements");
  return answer;
};
