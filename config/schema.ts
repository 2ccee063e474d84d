import { type Static, type TSchema, Type } from "@sinclair/typebox";

/**
 * The one schema of the configuration: type, validation and the editor's JSON Schema.
 * Every key has its default here; `config/carrel.yaml` repeats it with a line of why.
 */

const section = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()], { default: null });

const port = Type.Integer({ minimum: 0, maximum: 65535, default: 7373 });
const bytes = (initial: number) => Type.Integer({ minimum: 1, default: initial });
const milliseconds = (initial: number) => Type.Integer({ minimum: 1, maximum: 86_400_000, default: initial });
const strings = () => Type.Array(Type.String(), { default: [] });
const choice = <T extends readonly string[]>(values: T, initial: T[number]) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { default: initial },
  ) as unknown as ReturnType<typeof Type.Unsafe<T[number]>>;

export const configSchema = section({
  server: section({
    host: Type.String({ default: "127.0.0.1" }),
    port,
    baseUrl: nullable(Type.String()),
    allowedOrigins: strings(),
    trustedProxies: strings(),
    maxBodyBytes: bytes(104_857_600),
    /** How long a graceful stop waits for running requests. */
    drainTimeoutMs: milliseconds(10_000),
  }),
  dataDir: Type.String({ minLength: 1, default: "./carrel-data" }),
  store: section({ uri: nullable(Type.String()) }),
  models: section({
    answer: section({
      provider: choice(["builtin", "ollama", "openai"] as const, "builtin"),
      model: nullable(Type.String()),
      baseUrl: nullable(Type.String()),
      apiKey: nullable(Type.String()),
      contextTokens: nullable(Type.Integer({ minimum: 256 })),
      maxOutputTokens: Type.Integer({ minimum: 1, default: 1024 }),
      timeoutMs: milliseconds(60_000),
    }),
    embedding: section({
      provider: choice(["builtin", "ollama", "openai"] as const, "builtin"),
      model: Type.Union([Type.String(), Type.Null()], { default: "static" }),
      baseUrl: nullable(Type.String()),
      apiKey: nullable(Type.String()),
      dimensions: nullable(Type.Integer({ minimum: 1, maximum: 16_384 })),
      timeoutMs: milliseconds(60_000),
    }),
    reranker: section({
      provider: choice(["none", "openai"] as const, "none"),
      model: nullable(Type.String()),
      baseUrl: nullable(Type.String()),
      apiKey: nullable(Type.String()),
      timeoutMs: milliseconds(10_000),
    }),
  }),
  parser: section({
    provider: choice(["builtin", "unstructured"] as const, "builtin"),
    baseUrl: nullable(Type.String()),
    apiKey: nullable(Type.String()),
    /** The longest that one file may take to parse. */
    timeoutMs: milliseconds(120_000),
    /** The most memory the parsing process may hold. */
    maxMemoryBytes: bytes(1_073_741_824),
  }),
  fetch: section({
    allowPrivateAddresses: Type.Boolean({ default: false }),
    maxBytes: bytes(104_857_600),
    timeoutMs: milliseconds(30_000),
  }),
  ingest: section({
    concurrency: Type.Integer({ minimum: 1, maximum: 64, default: 2 }),
    maxDocumentBytes: bytes(104_857_600),
  }),
  answers: section({
    /** Below this probability that the documents hold the answer, the question is refused. */
    refusalThreshold: Type.Number({ minimum: 0, maximum: 1, default: 0.5 }),
  }),
  publicChats: section({
    /** Web origins that may call public chats from their own pages; the page Carrel serves always may. `*` is any. */
    allowedOrigins: strings(),
    visitorMessagesPerMinute: Type.Integer({ minimum: 1, default: 20 }),
    chatMessagesPerMinute: Type.Integer({ minimum: 1, default: 120 }),
    chatMessagesPerDay: Type.Integer({ minimum: 1, default: 2_000 }),
    visitorTokenDays: Type.Integer({ minimum: 1, maximum: 3_650, default: 90 }),
  }),
  folders: Type.Array(
    section({ path: Type.String(), partition: nullable(Type.String()), watch: Type.Boolean({ default: true }) }),
    { default: [] },
  ),
  sites: Type.Array(
    section({
      url: Type.String(),
      partition: nullable(Type.String()),
      depth: Type.Integer({ minimum: 0, maximum: 10, default: 2 }),
      every: Type.String({ default: "24h" }),
    }),
    { default: [] },
  ),
  webhooks: Type.Array(
    section({ url: Type.String(), secret: Type.String(), events: strings() }),
    { default: [] },
  ),
  log: section({
    level: choice(["debug", "info", "warn", "error", "silent"] as const, "info"),
    format: choice(["text", "json"] as const, "text"),
  }),
});

export type Config = Static<typeof configSchema>;
