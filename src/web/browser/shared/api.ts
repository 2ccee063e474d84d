// Made by tools/write-api-types.ts from the OpenAPI document. Do not edit.

/**
 * `pending` → `processing` → `processed`, or `failed`. Only a processed document is found by questions.
 */
export type DocumentStatus = "pending" | "processing" | "processed" | "failed";
/**
 * Any JSON value; no text or key in it holds NUL.
 */
export type JsonValue =
  | string
  | (number | boolean | null)
  | JsonValue[]
  | {
      [k: string]: JsonValue;
    };
/**
 * Stable name of a failure.
 */
export type ErrorCode =
  | "malformed_body"
  | "invalid_request"
  | "no_source"
  | "several_sources"
  | "scope_conflict"
  | "partition_conflict"
  | "unsupported_value"
  | "query_too_long"
  | "address_refused"
  | "key_missing"
  | "key_unknown"
  | "key_expired"
  | "session_ended"
  | "session_header_missing"
  | "role_forbidden"
  | "key_limited"
  | "organization_forbidden"
  | "origin_forbidden"
  | "route_not_found"
  | "document_not_found"
  | "model_not_found"
  | "partition_not_found"
  | "chat_not_found"
  | "message_not_found"
  | "receipt_not_found"
  | "feedback_not_found"
  | "key_not_found"
  | "delivery_not_found"
  | "file_not_found"
  | "method_not_allowed"
  | "body_too_slow"
  | "partition_name_taken"
  | "partition_not_empty"
  | "chat_scope_gone"
  | "document_busy"
  | "webhook_gone"
  | "quota_reached"
  | "part_not_configured"
  | "backup_refused"
  | "idempotency_conflict"
  | "body_too_large"
  | "document_too_large"
  | "metadata_too_large"
  | "answer_too_large"
  | "question_too_long"
  | "unsupported_media_type"
  | "unsupported_file_type"
  | "no_text"
  | "unreadable_file"
  | "fetch_failed"
  | "rate_limited"
  | "internal"
  | "data_damaged"
  | "model_failed"
  | "parser_failed"
  | "model_unreachable"
  | "parser_unreachable"
  | "draining"
  | "index_incomplete"
  | "storage_unavailable"
  | "overloaded"
  | "model_timeout"
  | "parser_timeout"
  | "fetch_timeout";

export interface ApiTypes {
  Answer: Answer;
  AnswerDelta: AnswerDelta;
  AnswerModel: AnswerModel;
  AuditEntry: AuditEntry;
  Backup: Backup;
  Chat: Chat;
  ChatSettings: ChatSettings;
  ChatWithMessages: ChatWithMessages;
  DoctorReport: DoctorReport;
  Document: Document;
  DocumentEvent: DocumentEvent;
  DocumentProgress: DocumentProgress;
  DocumentSnippet: DocumentSnippet;
  EmbedderStatus: EmbedderStatus;
  Feedback: Feedback;
  FeedbackRequest: FeedbackRequest;
  IngestedDocument: IngestedDocument;
  IssuedKey: IssuedKey;
  KeptReceipt: KeptReceipt;
  Key: Key;
  KeyRequest: KeyRequest;
  Message: Message;
  Partition: Partition;
  Problem: Problem;
  Readiness: Readiness;
  Receipt: Receipt;
  SentMessage: SentMessage;
  Settings: Settings;
  Snippet: Snippet;
  SourceSnippet: SourceSnippet;
  StorageUse: StorageUse;
  Trial: Trial;
  WebhookDelivery: WebhookDelivery;
}
/**
 * An answer with its sources.
 */
export interface Answer {
  answer: string | null;
  /**
   * Documents of the snippets.
   */
  relevantDocuments: Document[];
  /**
   * Best first; `[1]` is the first of them.
   */
  relevantSnippets: Snippet[];
  receipt: Receipt;
}
/**
 * A document.
 */
export interface Document {
  /**
   * Identifier of the document.
   */
  id: string;
  /**
   * Time of the ingest.
   */
  createdAt: string;
  /**
   * Time of the last change.
   */
  updatedAt: string;
  originalUrl: string | null;
  /**
   * Address of the extracted text as Markdown.
   */
  parsedUrl: string;
  originalText: string | null;
  /**
   * Name of the document.
   */
  name: string;
  /**
   * User of the key that ingested it.
   */
  addedByUserId: string;
  /**
   * Organization that owns it.
   */
  organizationId: string;
  mimeType: string | null;
  tokens: number | null;
  status: DocumentStatus;
  error: string | null;
  /**
   * Warnings for readers, such as pages without text.
   */
  warnings: string[];
  progress: DocumentProgress;
  reading: PageReached | null;
  /**
   * Whether the vectors of the configured embedding model are there. They are made in the background; a processed document is found without them.
   */
  embedded: boolean;
  partitionId: string | null;
  metadata: {
    [k: string]: JsonValue;
  } | null;
}
/**
 * How far processing has come.
 */
export interface DocumentProgress {
  /**
   * Pages, sheets or slides read; 0 where the format has none.
   */
  pages: number;
  /**
   * Chunks that the text was cut into.
   */
  chunks: number;
  /**
   * Chunks that can be found.
   */
  embedded: number;
}
/**
 * How far the reading of a file with pages has come.
 */
export interface PageReached {
  /**
   * The page that is being read, counted from 1.
   */
  page: number;
  /**
   * Pages of the file.
   */
  pages: number;
}
/**
 * A piece of a document that the answer is made from.
 */
export interface Snippet {
  metadata: {
    /**
     * Identifier of the snippet.
     */
    id: string;
    /**
     * Text of the snippet.
     */
    content: string;
    /**
     * Cosine distance of the snippet's vector from the question's, 0 to 2.
     */
    _distance: number;
    page: number | null;
    /**
     * Headings above it, outermost first.
     */
    headings: string[];
    /**
     * Names of the columns of the table that it begins in the middle of; else none.
     */
    columns?: string[];
    /**
     * First character of it in the document's text, in UTF-16 code units: as JavaScript counts.
     */
    start: number;
    /**
     * Character after its last one, in the same units.
     */
    end: number;
    /**
     * Identifier of the document it belongs to.
     */
    documentUploadId: string;
  };
}
/**
 * How the answer was made: what was searched, kept and left out, and why.
 */
export interface Receipt {
  /**
   * Identifies the receipt; the header `X-Carrel-Receipt` holds it too.
   */
  id: string;
  /**
   * What the ask was read as.
   */
  asked: {
    /**
     * `question`; `overview`: of a document, partition or all; `inventory`: which documents there are; `conversation`: about the answer before; `courtesy`: a greeting, thanks or a request for help.
     */
    kind: "question" | "overview" | "inventory" | "conversation" | "courtesy";
    /**
     * The ask without what only greets, thanks or pleads.
     */
    question: string;
  };
  /**
   * Whether the documents hold the answer. `sure`: answered; `unsure`: something is near that may not be it; `none`: nothing is near, and the answer says so.
   */
  certainty: "sure" | "unsure" | "none";
  computed: {
    /**
     * `none`: rows that have nothing in the column; `lookup`: a row that the question names.
     */
    operation: "count" | "sum" | "smallest" | "largest" | "none" | "filter" | "all" | "lookup";
    /**
     * The document that holds the table.
     */
    documentId: string;
    column: string | null;
    /**
     * What the rows were chosen by: `status: closed`.
     */
    conditions: string[];
    /**
     * Rows that were found.
     */
    rows: number;
    /**
     * Rows of the table.
     */
    total: number;
  } | null;
  searched: {
    /**
     * Documents in scope.
     */
    documents: number;
    /**
     * Snippets in scope.
     */
    snippets: number;
    /**
     * Candidates found by full text.
     */
    text: number;
    /**
     * Candidates found by vectors; 0 if the embedding model failed.
     */
    vectors: number;
  };
  /**
   * The question as understood: typing errors replaced by words of the documents, with what a follow-up adds from earlier turns.
   */
  understood: string;
  followUp: {
    /**
     * `model`: rewritten by the answering model; `turns`: words of earlier turns were added to the search.
     */
    by: "model" | "turns";
    /**
     * Tokens that the rewriting read; 0 if it was not tried.
     */
    promptTokens: number;
    /**
     * Tokens that the rewriting wrote.
     */
    outputTokens: number;
    /**
     * Time that the rewriting took.
     */
    ms: number;
  } | null;
  /**
   * How likely the documents contain the answer, 0 to 1: of questions with 0.8, about 8 in 10 have one, where half of all questions have one.
   */
  confidence: number;
  /**
   * How the question compares with those that documents answer, 0 to 1: of these, 5 in 100 are below 0.5. An answer is not told as certain at an `answers.refusalThreshold` far above this.
   */
  refusedAbove: number;
  /**
   * Snippets used and returned.
   */
  kept: number;
  /**
   * Snippets that were found and not used.
   */
  dropped: {
    /**
     * `not_relevant`: refused with the question, or far below the best of those that a model is shown; `duplicate`: says what a better one says; `over_limit`: beyond `numberOfDocumentsInContext`; `no_context_left`: did not fit into the model's context.
     */
    reason: "not_relevant" | "duplicate" | "over_limit" | "no_context_left";
    /**
     * Number of snippets.
     */
    count: number;
  }[];
  /**
   * Tokens of the answerer's context; `limit` is null if nothing was put into it.
   */
  context: {
    limit: number | null;
    /**
     * Tokens of what was put in.
     */
    used: number;
  };
  model: {
    /**
     * As in the configuration.
     */
    provider: string;
    /**
     * Name of the model.
     */
    name: string;
  } | null;
  support: ("supported" | "partly" | "unsupported") | null;
  /**
   * In milliseconds.
   */
  timings: {
    /**
     * Time of the search.
     */
    retrievalMs: number;
    /**
     * Time of writing the answer.
     */
    answerMs: number;
    /**
     * Time of the search, of the writing and of the steps between them.
     */
    totalMs: number;
  };
  /**
   * What was cut, left out or done differently than asked.
   */
  warnings: string[];
}
/**
 * A piece of an answer that is still being written.
 */
export interface AnswerDelta {
  /**
   * The next piece of the answer.
   */
  text: string;
}
/**
 * What writes the answers, and what could.
 */
export interface AnswerModel {
  /**
   * Who writes the answers; `builtin` quotes.
   */
  provider: string;
  model: string | null;
  ollama: {
    /**
     * Where it answers.
     */
    address: string;
    /**
     * Its chat models.
     */
    models: string[];
  } | null;
}
/**
 * A change that somebody made.
 */
export interface AuditEntry {
  /**
   * Identifier of the entry.
   */
  id: string;
  /**
   * When the change began.
   */
  createdAt: string;
  /**
   * What was done.
   */
  action:
    | "key.created"
    | "key.revoked"
    | "chat.changed"
    | "chat.published"
    | "chat.unpublished"
    | "chat.deleted"
    | "document.deleted"
    | "partition.deleted"
    | "session.created"
    | "session.ended"
    | "session.refused"
    | "settings.reloaded"
    | "settings.changed"
    | "backup.created"
    | "backup.restored"
    | "snapshot.restored"
    | "organization.exported"
    | "organization.imported";
  /**
   * Who did it.
   */
  actor: {
    /**
     * `key`, `session` (a browser signed in with a key), `operator` (the command line on the server's machine), `start` (the server itself when it starts), `folder` or `site` (one that is followed), `nobody` (somebody without a valid key).
     */
    kind: "key" | "session" | "operator" | "start" | "folder" | "site" | "nobody";
    keyId: string | null;
    keyName: string | null;
    /**
     * User of the key; empty where nobody is known.
     */
    userId: string;
    /**
     * Address it came from; `local` for the operator.
     */
    address: string;
  };
  targetId: string | null;
  /**
   * Settings of the change. Never text, titles or names of documents.
   */
  details: {
    [k: string]: unknown;
  };
  /**
   * `failed`: it ended with an error, and may be done in part.
   */
  outcome: "done" | "failed";
  requestId: string | null;
}
/**
 * A backup of the whole store.
 */
export interface Backup {
  /**
   * Identifier of the backup, for `carrel restore --backup`.
   */
  id: string;
  /**
   * When it was requested, or scheduled.
   */
  createdAt: string;
  markedAt: string | null;
  finishedAt: string | null;
  /**
   * `pending`: it waits for the backup that is running.
   */
  status: "pending" | "running" | "completed" | "failed";
  /**
   * Bytes that a restore writes; while it runs, those done so far.
   */
  bytes: number;
  /**
   * Bytes that were written to the target; the rest was there already.
   */
  newBytes: number;
  documents: number | null;
  /**
   * Folder or bucket that it is in.
   */
  target: string;
  error: string | null;
}
/**
 * A stored conversation over documents.
 */
export interface Chat {
  /**
   * Identifier of the chat.
   */
  id: string;
  /**
   * When it was created.
   */
  createdAt: string;
  name: string | null;
  userId: string | null;
  organizationId: string | null;
  documentId: string | null;
  partitionId: string | null;
  /**
   * Usable without a key.
   */
  public: boolean;
  title: string | null;
  logoUrl: string | null;
  brandSettings: {
    [k: string]: unknown;
  } | null;
}
export interface ChatSettings {
  title?: string | null;
  documentId?: string | null;
  partitionId?: string | null;
  /**
   * Your own name for the user who is chatting; without it, the key's user.
   */
  userId?: string | null;
  logoUrl?: string | null;
  /**
   * Whether the chat can be used without a key. `false` where it is not given.
   */
  public?: boolean | null;
  brandSettings?: {
    [k: string]: JsonValue;
  } | null;
  /**
   * Name in lists. Without it the title, else `New chat` until the first message gives it its first words.
   */
  name?: string | null;
}
/**
 * A chat with its messages; to a visitor, that visitor's own.
 */
export interface ChatWithMessages {
  /**
   * Identifier of the chat.
   */
  id: string;
  /**
   * When it was created.
   */
  createdAt: string;
  name: string | null;
  userId: string | null;
  organizationId: string | null;
  documentId: string | null;
  partitionId: string | null;
  /**
   * Usable without a key.
   */
  public: boolean;
  title: string | null;
  logoUrl: string | null;
  brandSettings: {
    [k: string]: unknown;
  } | null;
  /**
   * Oldest first.
   */
  messages: Message[];
}
/**
 * A message of a chat; `feedback`, where there is some, is what you said of it.
 */
export interface Message {
  /**
   * Identifier of the message.
   */
  id: string;
  /**
   * Content of the message.
   */
  message: string;
  /**
   * True where the AI sent it.
   */
  isSystem: boolean;
  organizationId: string | null;
  /**
   * Chat that it belongs to.
   */
  chatId: string;
  /**
   * When it was sent.
   */
  createdAt: string;
  userId: string | null;
  /**
   * Passages the answer is made from.
   */
  sourceDocuments: SourceDocument[];
  feedback?: Feedback;
}
/**
 * A passage that the answer is made from.
 */
export interface SourceDocument {
  metadata: {
    id: string | null;
    documentUploadId: string | null;
    /**
     * Text of the snippet; missing once its document is deleted.
     */
    content?: string;
    /**
     * Cosine distance of the snippet's vector from the question's, 0 to 2.
     */
    _distance: number;
    page: number | null;
    /**
     * Headings above it, outermost first.
     */
    headings: string[];
    /**
     * Names of the columns of the table that it begins in the middle of; else none.
     */
    columns?: string[];
    /**
     * First character of it in the document's text, in UTF-16 code units: as JavaScript counts.
     */
    start: number;
    /**
     * Character after its last one, in the same units.
     */
    end: number;
    /**
     * Present once the document is deleted.
     */
    deleted?: true;
  };
  /**
   * The relevant content: the snippet's text; empty once its document is deleted.
   */
  pageContent: string;
  /**
   * Present once the document is deleted.
   */
  deleted?: true;
}
/**
 * What somebody says of an answer.
 */
export interface Feedback {
  /**
   * Identifier of the feedback.
   */
  id: string;
  /**
   * When it was given, or last replaced.
   */
  createdAt: string;
  receiptId: string | null;
  messageId: string | null;
  chatId: string | null;
  partitionId: string | null;
  /**
   * The question that was answered; a follow-up as it was understood.
   */
  question: string;
  rating: "up" | "down";
  reason: ("wrong" | "incomplete" | "not_found" | "outdated" | "other") | null;
  comment: string | null;
  expected: {
    documentId: string | null;
    text: string | null;
  };
  /**
   * A visitor of a public chat gave it.
   */
  byVisitor: boolean;
}
/**
 * What `carrel doctor` says of this server.
 */
export interface DoctorReport {
  /**
   * When the checks were made.
   */
  checkedAt: string;
  /**
   * In the order in which a person would look.
   */
  findings: Finding[];
}
/**
 * What one check found.
 */
export interface Finding {
  /**
   * What was looked at, such as `memory`.
   */
  check: string;
  /**
   * `failed`: it does not work, or not as configured. `warning`: it works, and may not for long.
   */
  status: "ok" | "warning" | "failed";
  /**
   * What was found.
   */
  detail: string;
  fix: string | null;
}
export interface DocumentEvent {
  event: "status";
  data: string;
}
/**
 * A piece that a document's text was cut into.
 */
export interface DocumentSnippet {
  /**
   * Identifier of the snippet.
   */
  id: string;
  /**
   * Text of the snippet.
   */
  content: string;
  page: number | null;
  /**
   * Headings above it, outermost first.
   */
  headings: string[];
  /**
   * First character of it in the document's text, in UTF-16 code units: as JavaScript counts.
   */
  start: number;
  /**
   * Character after its last one, in the same units.
   */
  end: number;
}
/**
 * The embedding model in use.
 */
export interface EmbedderStatus {
  /**
   * The model that questions use beside full text and the built-in table. `dimensions` is null until the model of an empty store was first reached.
   */
  active: {
    provider: string;
    model: string;
    dimensions: number | null;
  };
  building: {
    provider: string;
    model: string;
    /**
     * Documents that have the new vectors.
     */
    done: number;
    /**
     * Documents in all.
     */
    total: number;
    error: string | null;
  } | null;
  /**
   * Snippets that lack the vectors of the configured model; 0 for `static`.
   */
  pending: number;
  error: string | null;
}
export interface FeedbackRequest {
  /**
   * The answer's receipt. Send one of `receiptId` and `messageId`.
   */
  receiptId?: string | null;
  /**
   * The answer's message in a chat. Send one of `receiptId` and `messageId`.
   */
  messageId?: string | null;
  rating: "up" | "down";
  reason?: "wrong" | "incomplete" | "not_found" | "outdated" | "other" | null;
  /**
   * In your own words.
   */
  comment?: string | null;
  /**
   * What should have been found.
   */
  expected?: {
    documentId?: string | null;
    text?: string | null;
  } | null;
}
/**
 * The document, with its text.
 */
export interface IngestedDocument {
  /**
   * Identifier of the document.
   */
  id: string;
  /**
   * Time of the ingest.
   */
  createdAt: string;
  /**
   * Time of the last change.
   */
  updatedAt: string;
  originalUrl: string | null;
  /**
   * Address of the extracted text as Markdown.
   */
  parsedUrl: string;
  originalText: string | null;
  /**
   * Name of the document.
   */
  name: string;
  /**
   * User of the key that ingested it.
   */
  addedByUserId: string;
  /**
   * Organization that owns it.
   */
  organizationId: string;
  mimeType: string | null;
  tokens: number | null;
  status: DocumentStatus;
  error: string | null;
  /**
   * Warnings for readers, such as pages without text.
   */
  warnings: string[];
  progress: DocumentProgress;
  reading: PageReached | null;
  /**
   * Whether the vectors of the configured embedding model are there. They are made in the background; a processed document is found without them.
   */
  embedded: boolean;
  partitionId: string | null;
  metadata: {
    [k: string]: JsonValue;
  } | null;
  text: string | null;
  /**
   * True if `upsert` found a document with the same text: nothing was embedded.
   */
  unchanged: boolean;
}
/**
 * The new key with its secret.
 */
export interface IssuedKey {
  /**
   * Identifier of the key.
   */
  id: string;
  /**
   * What the key is for.
   */
  name: string;
  /**
   * What the key may do.
   */
  role: "reader" | "writer" | "admin";
  /**
   * Organization whose records it reaches.
   */
  organizationId: string;
  /**
   * User that the key acts as.
   */
  userId: string;
  partitionId: string | null;
  /**
   * When it was issued.
   */
  createdAt: string;
  expiresAt: string | null;
  requestsPerMinute: number | null;
  tokensPerDay: number | null;
  maxDocuments: number | null;
  maxBytes: number | null;
  /**
   * The key itself. It is shown only this once and is not stored.
   */
  key: string;
}
/**
 * How an answer came about.
 */
export interface KeptReceipt {
  /**
   * Identifies the receipt; the header `X-Carrel-Receipt` holds it too.
   */
  id: string;
  /**
   * What the ask was read as.
   */
  asked: {
    /**
     * `question`; `overview`: of a document, partition or all; `inventory`: which documents there are; `conversation`: about the answer before; `courtesy`: a greeting, thanks or a request for help.
     */
    kind: "question" | "overview" | "inventory" | "conversation" | "courtesy";
    /**
     * The ask without what only greets, thanks or pleads.
     */
    question: string;
  };
  /**
   * Whether the documents hold the answer. `sure`: answered; `unsure`: something is near that may not be it; `none`: nothing is near, and the answer says so.
   */
  certainty: "sure" | "unsure" | "none";
  computed: {
    /**
     * `none`: rows that have nothing in the column; `lookup`: a row that the question names.
     */
    operation: "count" | "sum" | "smallest" | "largest" | "none" | "filter" | "all" | "lookup";
    /**
     * The document that holds the table.
     */
    documentId: string;
    column: string | null;
    /**
     * What the rows were chosen by: `status: closed`.
     */
    conditions: string[];
    /**
     * Rows that were found.
     */
    rows: number;
    /**
     * Rows of the table.
     */
    total: number;
  } | null;
  searched: {
    /**
     * Documents in scope.
     */
    documents: number;
    /**
     * Snippets in scope.
     */
    snippets: number;
    /**
     * Candidates found by full text.
     */
    text: number;
    /**
     * Candidates found by vectors; 0 if the embedding model failed.
     */
    vectors: number;
  };
  /**
   * The question as understood: typing errors replaced by words of the documents, with what a follow-up adds from earlier turns.
   */
  understood: string;
  followUp: {
    /**
     * `model`: rewritten by the answering model; `turns`: words of earlier turns were added to the search.
     */
    by: "model" | "turns";
    /**
     * Tokens that the rewriting read; 0 if it was not tried.
     */
    promptTokens: number;
    /**
     * Tokens that the rewriting wrote.
     */
    outputTokens: number;
    /**
     * Time that the rewriting took.
     */
    ms: number;
  } | null;
  /**
   * How likely the documents contain the answer, 0 to 1: of questions with 0.8, about 8 in 10 have one, where half of all questions have one.
   */
  confidence: number;
  /**
   * How the question compares with those that documents answer, 0 to 1: of these, 5 in 100 are below 0.5. An answer is not told as certain at an `answers.refusalThreshold` far above this.
   */
  refusedAbove: number;
  /**
   * The snippets that were used.
   */
  kept: {
    /**
     * `1` is `[1]` in the answer.
     */
    mark: number;
    snippetId: string;
    documentId: string;
    /**
     * All scores together, 0 to 1.
     */
    score: number;
    distance: number;
  }[];
  /**
   * Snippets that were found and not used.
   */
  dropped: {
    /**
     * `not_relevant`: refused with the question, or far below the best of those that a model is shown; `duplicate`: says what a better one says; `over_limit`: beyond `numberOfDocumentsInContext`; `no_context_left`: did not fit into the model's context.
     */
    reason: "not_relevant" | "duplicate" | "over_limit" | "no_context_left";
    /**
     * Number of snippets.
     */
    count: number;
  }[];
  /**
   * Tokens of the answerer's context; `limit` is null if nothing was put into it.
   */
  context: {
    limit: number | null;
    /**
     * Tokens of what was put in.
     */
    used: number;
  };
  model: {
    /**
     * As in the configuration.
     */
    provider: string;
    /**
     * Name of the model.
     */
    name: string;
  } | null;
  support: ("supported" | "partly" | "unsupported") | null;
  /**
   * In milliseconds.
   */
  timings: {
    /**
     * Time of the search.
     */
    retrievalMs: number;
    /**
     * Time of writing the answer.
     */
    answerMs: number;
    /**
     * Time of the search, of the writing and of the steps between them.
     */
    totalMs: number;
  };
  /**
   * What was cut, left out or done differently than asked.
   */
  warnings: string[];
  /**
   * When it was answered.
   */
  createdAt: string;
  chatId: string | null;
  messageId: string | null;
  /**
   * The question as it was sent.
   */
  question: string;
  scope: {
    documentId: string | null;
    partitionId: string | null;
    metadata: unknown;
  };
  /**
   * What each search found; empty where nothing was searched for.
   */
  legs: {
    /**
     * Full text, the vectors of the search index, those of the configured model.
     */
    leg: "text" | "vectors" | "model_vectors";
    /**
     * Best first, at most 50.
     */
    hits: {
      snippetId: string;
      documentId: string;
      score: number | null;
    }[];
  }[];
  prompt:
    | {
        role: "system" | "user" | "assistant";
        content: string;
      }[]
    | null;
  answer: string | null;
  tokens: {
    prompt: number;
    output: number | null;
  };
}
/**
 * A key as it is listed: without its secret.
 */
export interface Key {
  /**
   * Identifier of the key.
   */
  id: string;
  /**
   * What the key is for.
   */
  name: string;
  /**
   * What the key may do.
   */
  role: "reader" | "writer" | "admin";
  /**
   * Organization whose records it reaches.
   */
  organizationId: string;
  /**
   * User that the key acts as.
   */
  userId: string;
  partitionId: string | null;
  /**
   * When it was issued.
   */
  createdAt: string;
  expiresAt: string | null;
  requestsPerMinute: number | null;
  tokensPerDay: number | null;
  maxDocuments: number | null;
  maxBytes: number | null;
}
export interface KeyRequest {
  /**
   * What the key is for.
   */
  name: string;
  /**
   * `reader` lists, gets, asks and sends messages; `writer` also ingests, changes and deletes; `admin` also manages keys.
   */
  role?: "reader" | "writer" | "admin" | null;
  /**
   * User that the key acts as. Without it, the user of the calling key.
   */
  userId?: string | null;
  /**
   * Limits the key to one partition: records elsewhere do not exist for it. A limited key issues keys of its own partition.
   */
  partitionId?: string | null;
  /**
   * When the key stops working: ISO 8601 with time zone.
   */
  expiresAt?: string | null;
  requestsPerMinute?: number | null;
  tokensPerDay?: number | null;
  maxDocuments?: number | null;
  maxBytes?: number | null;
}
/**
 * A collection of documents.
 */
export interface Partition {
  /**
   * Identifier of the partition.
   */
  id: string;
  /**
   * Unique within the organization.
   */
  name: string;
  /**
   * Organization it belongs to.
   */
  organizationId: string;
  /**
   * When it was created.
   */
  createdAt: string;
  /**
   * How many documents it holds.
   */
  documents: number;
}
/**
 * What went wrong (RFC 9457).
 */
export interface Problem {
  /**
   * Page about this code.
   */
  type: string;
  /**
   * What the code means, in short.
   */
  title: string;
  /**
   * HTTP status.
   */
  status: number;
  /**
   * What happened and what to do next.
   */
  detail: string;
  /**
   * Path of the request.
   */
  instance: string;
  code: ErrorCode;
  /**
   * As in the header `X-Request-Id`.
   */
  requestId: string;
  /**
   * Fields at fault.
   */
  errors?: FieldFault[];
}
/**
 * A field at fault.
 */
export interface FieldFault {
  /**
   * The field, such as `metadata.source`; empty for the whole body.
   */
  path: string;
  /**
   * What is wrong with it.
   */
  message: string;
}
/**
 * The server accepts requests.
 */
export interface Readiness {
  status: "ready" | "degraded";
  /**
   * Why the server is `unready` or `degraded`. With `erasure_failed` alone it is ready: data that was deleted could not be erased from the disk yet; `carrel doctor` and the log say where.
   */
  problems: ("disk_full" | "not_writable" | "too_many_files" | "store_failed" | "erasure_failed" | "data_damaged")[];
  /**
   * How the last call of each configured model ended; `unknown`: it was not called yet.
   */
  models: {
    use: "answer" | "embedding" | "reranker";
    state: "ok" | "failing" | "unknown";
  }[];
}
/**
 * The answer's message. `receipt` says how the answer was made. Null to a visitor without a key.
 */
export interface SentMessage {
  /**
   * Identifier of the message.
   */
  id: string;
  /**
   * Content of the message.
   */
  message: string;
  /**
   * True where the AI sent it.
   */
  isSystem: boolean;
  organizationId: string | null;
  /**
   * Chat that it belongs to.
   */
  chatId: string;
  /**
   * When it was sent.
   */
  createdAt: string;
  userId: string | null;
  /**
   * Passages the answer is made from.
   */
  sourceDocuments: SourceDocument[];
  doubt: ("unsure" | "partly" | "unsupported") | null;
  receipt: Receipt | null;
}
/**
 * What is in force on this server.
 */
export interface Settings {
  /**
   * Version of the program.
   */
  version: string;
  file: string | null;
  /**
   * In the order of the configuration.
   */
  settings: Setting[];
  /**
   * Models and parsers, which can be tried.
   */
  parts: ConfiguredPart[];
}
/**
 * A setting in force.
 */
export interface Setting {
  /**
   * Path of the setting, such as `server.port`.
   */
  name: string;
  /**
   * The environment variable that sets it.
   */
  variable: string;
  /**
   * The value; null where it is hidden. Secrets in lists are replaced by `(hidden)`.
   */
  value: string | number | boolean | null | unknown[];
  /**
   * The value without file and environment.
   */
  default: string | number | boolean | null | unknown[];
  /**
   * Where the value comes from.
   */
  source: "default" | "file" | "environment";
  where: string | null;
  /**
   * What it does.
   */
  description: string;
  /**
   * What it accepts, in words.
   */
  takes: string;
  /**
   * Whether it holds a secret, which is set.
   */
  hidden: boolean;
}
/**
 * A model or parser in use.
 */
export interface ConfiguredPart {
  /**
   * `answer`, `embedding`, `reranker`: the models. `parser`: the built-in reader of files. `parserServer`: the Unstructured server.
   */
  part: "answer" | "embedding" | "reranker" | "parser" | "parserServer";
  /**
   * Who provides it.
   */
  provider: string;
  model: string | null;
}
/**
 * A piece of a document that a message is made from.
 */
export interface SourceSnippet {
  metadata: {
    id: string | null;
    documentUploadId: string | null;
    /**
     * Text of the snippet.
     */
    content: string;
    /**
     * Cosine distance of the snippet's vector from the question's, 0 to 2.
     */
    _distance: number;
    page: number | null;
    /**
     * Headings above it, outermost first.
     */
    headings: string[];
    /**
     * Names of the columns of the table that it begins in the middle of; else none.
     */
    columns?: string[];
    /**
     * First character of it in the document's text, in UTF-16 code units: as JavaScript counts.
     */
    start: number;
    /**
     * Character after its last one, in the same units.
     */
    end: number;
  };
}
/**
 * What the data directory takes.
 */
export interface StorageUse {
  /**
   * Bytes of tables and indexes.
   */
  tables: number;
  /**
   * Bytes of uploaded and fetched files.
   */
  files: number;
  /**
   * Bytes of everything else in the data directory.
   */
  other: number;
  free: number | null;
  /**
   * Whether there is more than was counted.
   */
  partial: boolean;
}
/**
 * What trying a model or parser showed.
 */
export interface Trial {
  /**
   * `answer`, `embedding`, `reranker`: the models. `parser`: the built-in reader of files. `parserServer`: the Unstructured server.
   */
  part: "answer" | "embedding" | "reranker" | "parser" | "parserServer";
  /**
   * Who provides it.
   */
  provider: string;
  model: string | null;
  /**
   * `warning`: it works, but not as well as it could.
   */
  status: "ok" | "warning" | "failed";
  /**
   * What was found, each with what to do about it.
   */
  details: string[];
  /**
   * How long it took, in milliseconds.
   */
  tookMs: number;
}
/**
 * An event for one configured address.
 */
export interface WebhookDelivery {
  /**
   * Identifier of the delivery, sent as `webhook-id` at every attempt.
   */
  id: string;
  /**
   * What happened to the document.
   */
  event: "document.processed" | "document.failed" | "document.deleted";
  /**
   * Document that the event is about.
   */
  documentId: string;
  /**
   * Scheme and host of the address; the rest may hold a secret.
   */
  endpoint: string;
  /**
   * `pending`: not delivered yet, tried again. `failed`: given up after a day.
   */
  status: "pending" | "delivered" | "failed";
  /**
   * Number of attempts.
   */
  attempts: number;
  error: string | null;
  /**
   * When the event happened.
   */
  createdAt: string;
  nextAttemptAt: string | null;
  settledAt: string | null;
}
