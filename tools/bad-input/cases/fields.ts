import { type BadInput, type Group, noId, type Place } from "../case.ts";

const post =
  (path: string) =>
  (what: string, json: unknown): BadInput => ({ what, method: "POST", path, json });

const ingests = ({ documentId, partitionId }: Place): BadInput[] => {
  const ingest = post("/api/ingest");
  return [
    ingest("nothing to ingest", { name: "a" }),
    ingest("text and an address", { name: "a", text: "b", url: "https://example.com/" }),
    ingest("text without a name", { text: "b" }),
    ingest("an empty text", { name: "a", text: "" }),
    ingest("a text of spaces", { name: "a", text: " \n\t " }),
    ingest("a text of NUL", { name: "a", text: "\0\0" }),
    ingest("a text that is a number", { name: "a", text: 42 }),
    ingest("a text that is a list", { name: "a", text: ["b"] }),
    ingest("a name of 256 characters", { name: "a".repeat(256), text: "b" }),
    ingest("a name that is blank", { name: " ", text: "b" }),
    ingest("NUL in the name", { name: "a\0b", text: "b" }),
    ingest("half an emoji in the name", { name: "a\ud83d", text: "b" }),
    ingest("a partition of 256 characters", { name: "a", text: "b", partition: "p".repeat(256) }),
    ingest("a partition that is blank", { name: "a", text: "b", partition: " " }),
    ingest("a partition id that there is not", { name: "a", text: "b", partitionId: noId }),
    ingest("partition and id that are two", { name: "a", text: "b", partition: "Another", partitionId }),
    ingest("metadata that is a list", { name: "a", text: "b", metadata: [1] }),
    ingest("metadata over 64 KiB", { name: "a", text: "b", metadata: { a: "x".repeat(70_000) } }),
    ingest("NUL in metadata", { name: "a", text: "b", metadata: { a: "x\0" } }),
    ingest("upsert with an externalId that is a number", {
      name: "a",
      text: "b",
      upsert: true,
      metadata: { externalId: 7 },
    }),
    ingest("async that is a text", { name: "a", text: "b", async: "perhaps" }),
    ...[
      "http://127.0.0.1/",
      "http://localhost:7373/api/key",
      "http://169.254.169.254/latest/meta-data",
      "http://[::1]/",
      "http://[::ffff:10.0.0.1]/",
      "http://2130706433/",
      "http://0x7f.1/",
      "http://192.168.0.1/",
    ].map((url) => ingest(`an address inside: ${url}`, { name: "a", url })),
    ...[
      "file:///etc/passwd",
      "ftp://example.com/a",
      "javascript:alert(1)",
      "data:text/plain,a",
      "gopher://a",
      "https://",
      "not an address",
      "http://127.0.0.1:99999/",
    ].map((url) => ingest(`an address of another kind: ${url}`, { name: "a", url })),
    ingest("an address with a password, to inside", { name: "a", url: "http://user:password@127.0.0.1/" }),
    ingest("a web page inside", { name: "a", websiteUrl: "http://10.0.0.1/" }),
    post("/api/scanPageContent")("scanning a page inside", { url: "http://127.0.0.1:7373/" }),
    post("/api/scanSitemap")("a sitemap inside", { rootDomain: "localhost" }),
    post("/api/scanSitemap")("a sitemap of nothing", { rootDomain: "" }),
    {
      ...ingest("an Idempotency-Key of 10,000 letters", { name: "a", text: "b" }),
      headers: { "idempotency-key": "a".repeat(10_000) },
    },
    { what: "replacing by an empty text", method: "PUT", path: `/api/document/${documentId}`, json: { text: "" } },
    {
      what: "moving to a partition that there is not",
      method: "PUT",
      path: `/api/document/${documentId}`,
      json: { partitionId: noId },
    },
    { what: "trying a processed document again", method: "POST", path: `/api/document/${documentId}/retry` },
    { what: "canceling a processed document", method: "POST", path: `/api/document/${documentId}/cancel` },
    { what: "the file of a document made from text", path: `/api/document/${documentId}/file` },
  ];
};

const questions = ({ documentId, otherPartitionId }: Place): BadInput[] => {
  const ask = post("/api/query");
  return [
    ask("no question", {}),
    ask("an empty question", { query: "" }),
    ask("a question of spaces", { query: "   " }),
    ask("a question of 8,001 characters", { query: "a".repeat(8_001) }),
    ask("a question that is a number", { query: 42 }),
    ask("a question that is an object", { query: { $gt: "" } }),
    ask("0 documents in context", { query: "x", numberOfDocumentsInContext: 0 }),
    ask("51 documents in context", { query: "x", numberOfDocumentsInContext: 51 }),
    ask("1.5 documents in context", { query: "x", numberOfDocumentsInContext: 1.5 }),
    ask("many documents in context", { query: "x", numberOfDocumentsInContext: "many" }),
    ask("a prompt of 32,001 characters", { query: "x", prompt: "a".repeat(32_001) }),
    ask("a document that there is not", { query: "x", documentId: noId }),
    ask("a document id that is SQL", { query: "x", documentId: "' OR '1'='1" }),
    ask("a document outside the partition", { query: "x", documentId, partitionId: otherPartitionId }),
    ask("metadata with an operator that there is not", { query: "x", metadata: { a: { $where: "1" } } }),
    ask("metadata that is a text", { query: "x", metadata: "source=handbook" }),
    ask("metadata with $in that is no list", { query: "x", metadata: { a: { $in: 1 } } }),
    ask("stream that is a text", { query: "x", stream: "perhaps" }),
    // Nothing is wrong with these: they must do nothing but be answered.
    ask("quotes and operators of full text", { query: '"pump" AND (NOT "x*" OR ^9) ~ \\ :' }),
    ask("SQL", { query: "'; DROP TABLE documents; --" }),
    ask("a question of emoji and signs", { query: "🤷‍♀️ ﷽ ‮ \u200b \ufeff" }),
    ask("half an emoji", { query: "\ud83d pump" }),
    ask("a prompt of braces", { query: "x", prompt: "{{{query}}} {contextText} {__proto__} {x}" }),
  ];
};

const lists = ({ documentId }: Place): BadInput[] => [
  ...[
    "limit=0",
    "limit=101",
    "limit=-1",
    "limit=ten",
    "limit=1e3",
    "limit=10&limit=20",
    "skip=-1",
    "skip=99999999999999999999",
    "sortOrder=up",
    "status=lost",
    `partitionId=${noId}`,
    "metadata=%7B",
    "metadata=%7B%22a%22%3A%7B%22%24x%22%3A1%7D%7D",
    "include=everything",
  ].map((query): BadInput => ({ what: `documents?${decodeURIComponent(query)}`, path: `/api/document?${query}` })),
  { what: "chats?sortBy=password", path: "/api/chat?sortBy=password" },
  { what: "partition/search without a value", path: "/api/partition/search" },
  { what: "a document that there is not", path: `/api/document/${noId}` },
  { what: "a document id that is a path", path: "/api/document/..%2F..%2Fsecret" },
  { what: "a document id of 10,000 letters", path: `/api/document/${"a".repeat(10_000)}` },
  { what: "a document id in capitals and more", path: `/api/document/${documentId.toUpperCase()}x` },
];

const chats = ({ chatId, publicChatId }: Place): BadInput[] => {
  const message = post(`/api/chat/${chatId}/message`);
  return [
    message("no message", {}),
    message("an empty message", { message: "" }),
    message("a message of 8,001 characters", { message: "a".repeat(8_001) }),
    message("a message that is a list", { message: ["a"] }),
    post(`/api/chat/${noId}/message`)("a message to a chat that there is not", { message: "a" }),
    post("/api/chat")("a chat about a document that there is not", { title: "a", documentId: noId }),
    post("/api/chat")("brandSettings that are no object", { title: "a", brandSettings: "red" }),
    post("/api/chat")("brandSettings over 64 KiB", { title: "a", brandSettings: { a: "x".repeat(70_000) } }),
    post("/api/chat")("public that is a text", { title: "a", public: "perhaps" }),
    { what: "a chat id with a slash", method: "PUT", path: "/api/chat/a%2Fb", json: { title: "a" } },
    { what: "a chat id of 65 letters", method: "PUT", path: `/api/chat/${"a".repeat(65)}`, json: { title: "a" } },
    {
      what: "a visitor in a private chat",
      method: "POST",
      path: `/api/chat/${chatId}/message`,
      as: null,
      json: { message: "a" },
    },
    {
      what: "a visitor in a public chat, by /private",
      method: "POST",
      path: `/api/chat/${publicChatId}/private`,
      as: null,
      json: { message: "a" },
    },
    {
      what: "a visitor's message over 256 KiB",
      method: "POST",
      path: `/api/chat/${publicChatId}/public`,
      as: null,
      json: { message: "a", x: "x".repeat(300_000) },
    },
    {
      what: "a visitor with a token that is none",
      path: `/api/chat/${publicChatId}`,
      as: null,
      headers: { "x-visitor-token": "abc.def.ghi" },
    },
    {
      what: "a visitor from a foreign page",
      method: "POST",
      path: `/api/chat/${publicChatId}/public`,
      as: null,
      json: { message: "a" },
      headers: { origin: "https://evil.example" },
    },
    { what: "a visitor lists the chats", path: "/api/chat", as: null },
    { what: "the page of a private chat", path: `/chat/${chatId}`, as: null },
    { what: "the page of a chat named as a script", path: "/chat/%3Cscript%3E", as: null },
  ];
};

const partitions = ({ partitionId, otherPartitionId }: Place): BadInput[] => [
  post("/api/partition")("a partition without a name", {}),
  post("/api/partition")("a partition named as an object", { name: {} }),
  post("/api/partition")("NUL in a partition's name", { name: "a\0" }),
  {
    what: "renaming to a name that is taken",
    method: "PUT",
    path: `/api/partition/${partitionId}`,
    json: { name: "Another" },
  },
  { what: "deleting one that holds documents", method: "DELETE", path: `/api/partition/${partitionId}` },
  {
    what: "deleting with documents=maybe",
    method: "DELETE",
    path: `/api/partition/${otherPartitionId}?documents=maybe`,
  },
  { what: "deleting one that there is not", method: "DELETE", path: `/api/partition/${noId}` },
  { what: "a webhook delivery that there is not", method: "POST", path: `/api/webhook/delivery/${noId}/replay` },
];

/** Fields that are missing, wrong, too long or meant to break out. */
export const fields: readonly Group[] = [
  { title: "Documents", cases: ingests },
  { title: "Questions", cases: questions },
  { title: "Lists and ids", cases: lists },
  { title: "Chats", cases: chats },
  { title: "Partitions and webhooks", cases: partitions },
];
