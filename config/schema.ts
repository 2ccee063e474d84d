import { type Static, type TSchema, Type } from "@sinclair/typebox";

/**
 * The one schema of the configuration: type, validation, the commented `carrel.yaml` and the editor's JSON Schema
 * (`bun tools/config-files.ts` writes both files anew). Every key has its default and its line of why here.
 */

const section = <T extends Record<string, TSchema>>(properties: T, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description === undefined ? {} : { description }) });

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { default: null, description });

const integer = (initial: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: initial, minimum, maximum, description });
const bytes = (initial: number, description: string) => integer(initial, 1, Number.MAX_SAFE_INTEGER, description);
const milliseconds = (initial: number, description: string) => integer(initial, 1, 86_400_000, description);
const strings = (description: string) => Type.Array(Type.String({ minLength: 1 }), { default: [], description });
const choice = <T extends readonly string[]>(values: T, initial: T[number], description: string) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { default: initial, description },
  ) as unknown as ReturnType<typeof Type.Unsafe<T[number]>>;

/** Address of a server that Carrel calls, or is called by: http or https, without user name, query or fragment. */
const address = (description: string) =>
  nullable(Type.String({ pattern: "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$" }), description);

const apiKey = (what: string) =>
  nullable(
    Type.String({ minLength: 1 }),
    `Secret of ${what}. Better not written here: "\${NAME}" reads the environment.`,
  );

export const configSchema = section({
  server: section({
    host: Type.String({
      minLength: 1,
      default: "127.0.0.1",
      description: "Address to listen on. 0.0.0.0 or :: lets other machines in.",
    }),
    port: integer(7373, 0, 65_535, "Port to listen on. 0 takes any free one."),
    baseUrl: address("Address under which clients reach this server; null takes it from each request."),
    allowedOrigins: strings(
      "Web origins whose pages may call the API (CORS), such as https://intranet.example. Empty: none.",
    ),
    trustedProxies: strings(
      "Addresses or ranges of reverse proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8.",
    ),
    maxBodyBytes: bytes(
      104_857_600,
      "Longest body that carries a document, and longest line of a batch. Any other: 1 MiB; without a key: 256 KiB.",
    ),
    maxInFlightBytes: bytes(
      268_435_456,
      "Most that all requests hold in memory of bodies and of texts in answers; beyond it they get a 503. One alone may hold more.",
    ),
    drainTimeoutMs: milliseconds(10_000, "How long a graceful stop waits for running requests."),
  }),
  dataDir: Type.String({
    minLength: 1,
    default: "./carrel-data",
    description: "Folder of tables, files, lock and socket, made when missing. One running server a folder.",
  }),
  store: section({
    uri: nullable(
      Type.String({ minLength: 1 }),
      "null keeps everything in dataDir; s3://bucket/prefix shares one store among processes.",
    ),
  }),
  models: section({
    answer: section(
      {
        provider: choice(
          ["builtin", "ollama", "openai"] as const,
          "builtin",
          "builtin quotes the sentences that answer and needs no model; openai is any compatible server.",
        ),
        model: nullable(Type.String({ minLength: 1 }), "Name of the model at that provider; builtin has none."),
        baseUrl: address(
          "Address of the model server; null is http://127.0.0.1:11434 (ollama), https://api.openai.com/v1 (openai).",
        ),
        apiKey: apiKey("the model server"),
        contextTokens: nullable(
          Type.Integer({ minimum: 256 }),
          "Context of the model in tokens; null asks the server.",
        ),
        maxOutputTokens: integer(1024, 1, 1_000_000, "Longest answer in tokens."),
        think: Type.Boolean({
          default: false,
          description: "Lets a model that can think do so before it answers: slower. The thoughts are never shown.",
        }),
        timeoutMs: milliseconds(60_000, "Longest silence of the model server, not the whole answer."),
      },
      "Who writes the answers.",
    ),
    embedding: section(
      {
        provider: choice(
          ["builtin", "ollama", "openai"] as const,
          "builtin",
          "builtin needs no server. After a change the index is built anew in the background.",
        ),
        model: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
          default: "static",
          description:
            "builtin: static (a table inside the program) or minilm (a transformer inside it); else the model at that provider.",
        }),
        baseUrl: address("Address of the model server; null as for answers."),
        apiKey: apiKey("the model server"),
        dimensions: nullable(
          Type.Integer({ minimum: 1, maximum: 16_384 }),
          "Length of the vectors; null takes what the model gives.",
        ),
        contextTokens: nullable(
          Type.Integer({ minimum: 32 }),
          "Longest input of the model in tokens, longer text is split; null asks the server, else takes 512.",
        ),
        queryPrefix: nullable(
          Type.String(),
          "Put before each question; null takes what the known models want, else nothing.",
        ),
        documentPrefix: nullable(Type.String(), "Put before each passage; null as for questions."),
        concurrency: integer(2, 1, 64, "Requests to the model server at once."),
        threads: integer(2, 1, 64, "Threads of the built-in minilm."),
        timeoutMs: milliseconds(60_000, "Longest silence of the model server."),
      },
      "What turns text into vectors. Full-text search always runs beside it.",
    ),
    reranker: section(
      {
        provider: choice(["none", "openai"] as const, "none", "openai is any server with POST {baseUrl}/rerank."),
        model: nullable(Type.String({ minLength: 1 }), "Name of the model at that server."),
        baseUrl: address("Address of the reranking server."),
        apiKey: apiKey("the reranking server"),
        timeoutMs: milliseconds(10_000, "After this time the answer goes on without it."),
      },
      "What puts the snippets found into a better order.",
    ),
  }),
  parser: section({
    provider: choice(
      ["builtin", "unstructured"] as const,
      "builtin",
      "Who reads files first. What it cannot read goes to the other where both are set.",
    ),
    baseUrl: address("Address of an Unstructured server; the hosted one is never a default."),
    apiKey: apiKey("the Unstructured server"),
    timeoutMs: milliseconds(120_000, "The longest that one file may take to parse."),
    maxMemoryBytes: bytes(1_073_741_824, "The most memory the parsing process may hold."),
    maxPages: integer(5_000, 1, 1_000_000, "Most pages of one PDF. A longer one is refused before it is read."),
    ocrTimeoutMs: milliseconds(1_800_000, "Besides, the longest that reading one file's pictures by OCR may take."),
    ocrLanguages: Type.Array(Type.String({ pattern: "^[A-Za-z0-9_/-]+$" }), {
      default: ["eng"],
      description: "Languages of text in pictures, as the tesseract program names them. Used where it is installed.",
    }),
  }),
  fetch: section({
    allowPrivateAddresses: Type.Boolean({
      default: false,
      description:
        "Lets url and websiteUrl reach loopback and private networks. Every writer's key can then read from them.",
    }),
    maxBytes: bytes(104_857_600, "Longest file or page to fetch."),
    timeoutMs: milliseconds(30_000, "Time limit of one fetch, redirects included."),
  }),
  ingest: section({
    concurrency: integer(2, 1, 64, "Documents processed at once."),
    maxDocumentBytes: bytes(104_857_600, "Longest document, as file or as text."),
  }),
  scan: section(
    {
      maxFiles: integer(100_000, 1, 10_000_000, "Most files of one folder."),
      maxPages: integer(1_000, 1, 1_000_000, "Most pages of one site, and of one scan of a sitemap."),
      maxDepth: integer(3, 0, 10, "How deep indexes of sitemaps are followed."),
      pauseMs: milliseconds(250, "Pause between two fetches from one host; longer where its robots.txt asks for it."),
    },
    "Limits of what is read by itself: folders and sites.",
  ),
  answers: section({
    refusalThreshold: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.5,
      description:
        "Below this probability that the documents hold the answer, the question is refused. Higher refuses more.",
    }),
    rewriteFollowUps: Type.Boolean({
      default: true,
      description:
        "Where a model writes the answers, it first rewrites a follow-up in a chat so that it can be searched for alone.",
    }),
  }),
  publicChats: section({
    allowedOrigins: strings(
      'Web origins whose pages may hold a public chat; the page that Carrel serves always may. "*" is any.',
    ),
    addressRequestsPerMinute: integer(
      300,
      1,
      1_000_000,
      "Requests for chats without a key from one address (IPv6: one /64), ids that do not exist included.",
    ),
    visitorMessagesPerMinute: integer(20, 1, 1_000_000, "Messages that one visitor may send."),
    chatMessagesPerMinute: integer(120, 1, 1_000_000, "Messages that all visitors of one chat may send."),
    chatMessagesPerDay: integer(2_000, 1, 100_000_000, "The same, for a day: what a public chat may cost."),
    visitorTokenDays: integer(90, 1, 3_650, "How long a visitor is known again."),
  }),
  folders: Type.Array(
    section({
      path: Type.String({ minLength: 1, description: "The folder." }),
      partition: nullable(Type.String({ minLength: 1 }), "Partition its documents go into, by name."),
      watch: Type.Boolean({ default: true, description: "Go on watching after the first pass." }),
    }),
    { default: [], description: "Folders kept in step: new, changed and gone files." },
  ),
  sites: Type.Array(
    section({
      url: Type.String({
        pattern: "^https?://[^\\s/?#@]+([/?][^\\s#]*)?$",
        description: "Address of a page or of a sitemap.",
      }),
      partition: nullable(Type.String({ minLength: 1 }), "Partition its pages go into, by name."),
      depth: integer(2, 0, 10, "How many links deep, from a page."),
      every: Type.String({
        pattern: "^[0-9]+(ms|s|m|h|d)$",
        default: "24h",
        description: "How often it is read again.",
      }),
    }),
    { default: [], description: "Web sites kept in step." },
  ),
  webhooks: Type.Array(
    section({
      url: Type.String({
        pattern: "^https?://[^\\s/?#@]+([/?][^\\s#]*)?$",
        description: "Who is told. Private addresses are allowed.",
      }),
      secret: Type.String({
        minLength: 1,
        description: `Signs what is sent (Standard Webhooks): whsec_ and base64. Better as "\${NAME}" than written here.`,
      }),
      events: Type.Array(
        Type.Union([
          Type.Literal("document.processed"),
          Type.Literal("document.failed"),
          Type.Literal("document.deleted"),
        ]),
        { default: [], description: "document.processed, document.failed, document.deleted; empty: all." },
      ),
    }),
    { default: [], description: "Addresses told of documents processed, failed and deleted." },
  ),
  log: section({
    level: choice(["debug", "info", "warn", "error", "silent"] as const, "info", "The least that is logged."),
    format: choice(["text", "json"] as const, "text", "text for people; json is one object a line."),
  }),
});

export type Config = Static<typeof configSchema>;
