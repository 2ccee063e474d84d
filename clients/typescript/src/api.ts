// Made by tools/write-api-types.ts from the OpenAPI document. Do not edit.

export type JsonValue = unknown;
/**
 * `pending` → `processing` → `processed`, or `failed`. Only a processed document is found by questions.
 */
export type DocumentStatus = "pending" | "processing" | "processed" | "failed";
export type AnswerEvent =
  | {
      event: "snippets";
      data: Snippet[];
    }
  | {
      event: "delta";
      data: AnswerDelta;
    }
  | {
      event: "done";
      data: Answer;
    }
  | {
      event: "error";
      data: Problem;
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
/**
 * The document of a line, or the error of the line.
 */
export type BatchAnswer =
  | {
      /**
       * Number of the line in the request, from 1.
       */
      line: number;
      /**
       * Identifier of the document.
       */
      id: string;
      status: DocumentStatus;
    }
  | {
      line: number | null;
      error: Problem;
    };
export type MessageEvent =
  | {
      event: "snippets";
      data: SourceSnippet[];
    }
  | {
      event: "delta";
      data: AnswerDelta;
    }
  | {
      event: "done";
      data: SentMessage;
    }
  | {
      event: "error";
      data: Problem;
    };

export interface ApiTypes {
  Operations: Operations;
  AnswerEvent: AnswerEvent;
  BatchAnswer: BatchAnswer;
  DocumentEvent: DocumentEvent;
  IngestRequestMultipart: IngestRequestMultipart;
  MessageEvent: MessageEvent;
  Problem: Problem;
}
/**
 * Every operation: what it takes and answers.
 */
export interface Operations {
  /**
   * Ingest a document
   */
  "POST /api/ingest": {
    body: IngestRequest;
    answer: IngestedDocument;
  };
  /**
   * List documents
   */
  "GET /api/document": {
    query?: {
      /**
       * How many records to return, 1 to 100.
       */
      limit?: number;
      /**
       * How many records to skip.
       */
      skip?: number;
      /**
       * `desc`: newest (or last by name) first.
       */
      sortOrder?: "asc" | "desc";
      /**
       * Only these documents: at most 100 identifiers, with commas between them.
       */
      ids?: string;
      /**
       * Only documents of this partition.
       */
      partitionId?: string;
      /**
       * Only documents in this state.
       */
      status?: "pending" | "processing" | "processed" | "failed";
      /**
       * Only documents with this text in their name, case-insensitive.
       */
      searchValue?: string;
      /**
       * Only documents with matching metadata. Each key has a value that must be equal, or an object of the operators `$in`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`. In a query string or form, send the filter as JSON text.
       */
      metadata?: string;
      /**
       * `originalText` includes the texts in the answer.
       */
      include?: "originalText";
    };
    answer: Document[];
  };
  /**
   * Get a document with its text
   */
  "GET /api/document/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: Document;
  };
  /**
   * Change a document
   */
  "PUT /api/document/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    body?: DocumentChange;
    answer: Document;
  };
  /**
   * Delete a document
   */
  "DELETE /api/document/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: Deleted;
  };
  /**
   * Get the extracted text
   */
  "GET /api/document/{id}/text": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: string;
  };
  /**
   * Get the original file
   */
  "GET /api/document/{id}/file": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: Response;
  };
  /**
   * List the snippets of a document
   */
  "GET /api/document/{id}/snippets": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    query?: {
      /**
       * How many records to return, 1 to 100.
       */
      limit?: number;
      /**
       * How many records to skip.
       */
      skip?: number;
    };
    answer: DocumentSnippet[];
  };
  /**
   * Process a failed document again
   */
  "POST /api/document/{id}/retry": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: Document;
  };
  /**
   * Read a document again
   */
  "POST /api/document/{id}/reread": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: Document;
  };
  /**
   * Cancel a pending document
   */
  "POST /api/document/{id}/cancel": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: Document;
  };
  /**
   * Ingest a web page
   */
  "POST /api/scanPageContent": {
    body: PageScanRequest;
    answer: IngestedDocument;
  };
  /**
   * Ingest a site's pages
   */
  "POST /api/scanSitemap": {
    body: SitemapScanRequest;
    answer: SitemapScan;
  };
  /**
   * Ask a question
   */
  "POST /api/query": {
    query?: {
      /**
       * Fills `originalText` of the documents, which is null otherwise.
       */
      include?: "originalText";
    };
    body: QuestionRequest;
    answer: Answer;
  };
  /**
   * Search without an answer
   */
  "POST /api/search": {
    query?: {
      /**
       * Fills `originalText` of the documents, which is null otherwise.
       */
      include?: "originalText";
    };
    body: SearchRequest;
    answer: Answer;
  };
  /**
   * Create a chat
   */
  "POST /api/chat": {
    body?: ChatSettings;
    answer: Chat;
  };
  /**
   * List chats
   */
  "GET /api/chat": {
    query?: {
      /**
       * How many records to return, 1 to 100.
       */
      limit?: number;
      /**
       * How many records to skip.
       */
      skip?: number;
      /**
       * `desc`: newest (or last by name) first.
       */
      sortOrder?: "asc" | "desc";
      /**
       * Field to sort by.
       */
      sortBy?: "createdAt" | "name" | "title";
      /**
       * Chats whose name holds this, in any case.
       */
      searchValue?: string;
    };
    answer: Chat[];
  };
  /**
   * Get a chat with its messages
   */
  "GET /api/chat/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    query?: {
      /**
       * With a key: only the conversation of this user.
       */
      userId?: string;
    };
    answer: ChatWithMessages;
  };
  /**
   * Change a chat, or create it with this id
   */
  "PUT /api/chat/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    body?: ChatSettings;
    answer: Chat;
  };
  /**
   * Change a chat, or create it with this id
   */
  "POST /api/chat/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    body?: ChatSettings;
    answer: Chat;
  };
  /**
   * Delete a chat and its messages
   */
  "DELETE /api/chat/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: Deleted;
  };
  /**
   * Send a message to a chat
   */
  "POST /api/chat/{id}/message": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    body: MessageRequest;
    answer: SentMessage;
  };
  /**
   * Send a message to a chat
   */
  "POST /api/chat/{id}/public": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    body: MessageRequest;
    answer: SentMessage;
  };
  /**
   * Send a message to a chat
   */
  "POST /api/chat/{id}/private": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    body: MessageRequest;
    answer: SentMessage;
  };
  /**
   * See how an answer came about
   */
  "GET /api/receipt/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: KeptReceipt;
  };
  /**
   * Say whether an answer was right
   */
  "POST /api/feedback": {
    body: FeedbackRequest;
    answer: Feedback;
  };
  /**
   * List what was said of answers
   */
  "GET /api/feedback": {
    query?: {
      /**
       * How many records to return, 1 to 100.
       */
      limit?: number;
      /**
       * How many records to skip.
       */
      skip?: number;
      /**
       * `desc`: newest (or last by name) first.
       */
      sortOrder?: "asc" | "desc";
      /**
       * Only this rating.
       */
      rating?: "up" | "down";
      /**
       * Only feedback from then on: ISO 8601 with time zone.
       */
      since?: string;
    };
    answer: Feedback[];
  };
  /**
   * Take feedback back
   */
  "DELETE /api/feedback/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: Deleted;
  };
  /**
   * Create a partition, or get the one of that name
   */
  "POST /api/partition": {
    body: PartitionRequest;
    answer: Partition;
  };
  /**
   * List partitions
   */
  "GET /api/partition": {
    query?: {
      /**
       * How many records to return, 1 to 100.
       */
      limit?: number;
      /**
       * How many records to skip.
       */
      skip?: number;
      /**
       * `desc`: newest (or last by name) first.
       */
      sortOrder?: "asc" | "desc";
    };
    answer: Partition[];
  };
  /**
   * Search partitions by name
   */
  "GET /api/partition/search": {
    query: {
      /**
       * How many records to return, 1 to 100.
       */
      limit?: number;
      /**
       * How many records to skip.
       */
      skip?: number;
      /**
       * `desc`: newest (or last by name) first.
       */
      sortOrder?: "asc" | "desc";
      /**
       * Partitions whose name holds this, in any case.
       */
      searchValue: string;
    };
    answer: Partition[];
  };
  /**
   * Get a partition
   */
  "GET /api/partition/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: Partition;
  };
  /**
   * Rename a partition
   */
  "PUT /api/partition/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    body: PartitionRequest;
    answer: Partition;
  };
  /**
   * Delete a partition
   */
  "DELETE /api/partition/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    query?: {
      /**
       * What happens to its documents: `delete` removes them, `detach` keeps them without a partition. Without it, a partition that holds documents is not deleted.
       */
      documents?: "delete" | "detach";
    };
    answer: Deleted;
  };
  /**
   * Issue a key
   */
  "POST /api/key": {
    body: KeyRequest;
    answer: IssuedKey;
  };
  /**
   * List keys
   */
  "GET /api/key": {
    query?: {
      /**
       * How many records to return, 1 to 100.
       */
      limit?: number;
      /**
       * How many records to skip.
       */
      skip?: number;
      /**
       * `desc`: newest (or last by name) first.
       */
      sortOrder?: "asc" | "desc";
    };
    answer: Key[];
  };
  /**
   * Revoke a key
   */
  "DELETE /api/key/{id}": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: Deleted;
  };
  /**
   * Sign in with a key
   */
  "POST /api/session": {
    body: SignIn;
    answer: Key;
  };
  /**
   * Who is signed in
   */
  "GET /api/session": {
    answer: Key;
  };
  /**
   * Sign out
   */
  "DELETE /api/session": {
    answer: Deleted;
  };
  /**
   * The embedding model and a change of it
   */
  "GET /api/embedder": {
    answer: EmbedderStatus;
  };
  /**
   * Make a backup
   */
  "POST /api/backup": {
    body?: {
      target?: string | null;
    };
    answer: Backup;
  };
  /**
   * List backups
   */
  "GET /api/backup": {
    query?: {
      /**
       * How many records to return, 1 to 100.
       */
      limit?: number;
      /**
       * How many records to skip.
       */
      skip?: number;
      /**
       * `desc`: newest (or last by name) first.
       */
      sortOrder?: "asc" | "desc";
    };
    answer: Backup[];
  };
  /**
   * Export everything of the organization
   */
  "GET /api/export": {
    answer: Response;
  };
  /**
   * List webhook deliveries
   */
  "GET /api/webhook/delivery": {
    query?: {
      /**
       * How many records to return, 1 to 100.
       */
      limit?: number;
      /**
       * How many records to skip.
       */
      skip?: number;
      /**
       * `desc`: newest (or last by name) first.
       */
      sortOrder?: "asc" | "desc";
      /**
       * Only deliveries in this state.
       */
      status?: "pending" | "delivered" | "failed";
      /**
       * Only deliveries of events about this document.
       */
      documentId?: string;
    };
    answer: WebhookDelivery[];
  };
  /**
   * Send a webhook again
   */
  "POST /api/webhook/delivery/{id}/replay": {
    path: {
      /**
       * Identifier of the record.
       */
      id: string;
    };
    answer: WebhookDelivery;
  };
  /**
   * List who changed what
   */
  "GET /api/audit": {
    query?: {
      /**
       * How many records to return, 1 to 100.
       */
      limit?: number;
      /**
       * How many records to skip.
       */
      skip?: number;
      /**
       * `desc`: newest (or last by name) first.
       */
      sortOrder?: "asc" | "desc";
      /**
       * Only this kind of change.
       */
      action?:
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
       * Only changes from then on: ISO 8601 with time zone.
       */
      since?: string;
    };
    answer: AuditEntry[];
  };
  /**
   * The settings in force
   */
  "GET /api/settings": {
    answer: Settings;
  };
  /**
   * What writes the answers, and what could
   */
  "GET /api/settings/answer-model": {
    answer: AnswerModel;
  };
  /**
   * What the data takes on the disk
   */
  "GET /api/settings/storage": {
    answer: StorageUse;
  };
  /**
   * Try a model or parser
   */
  "POST /api/settings/try": {
    body: TrialRequest;
    answer: Trial;
  };
  /**
   * Whether the process runs
   */
  "GET /health/live": {
    answer: {
      status: "live";
    };
  };
  /**
   * Whether the server accepts requests
   */
  "GET /health/ready": {
    answer: Readiness;
  };
  /**
   * What carrel doctor finds
   */
  "GET /api/doctor": {
    answer: DoctorReport;
  };
  /**
   * Read the whole store, and say what is damaged
   */
  "POST /api/check": {
    answer: Response;
  };
}
export interface IngestRequest {
  /**
   * Name of the document, up to 255 characters. Required with `text`; the default is the name of the file or the title of the page.
   */
  name?: string;
  /**
   * Text to ingest. Control characters but tabs and line breaks are removed, lone surrogates become U+FFFD.
   */
  text?: string;
  /**
   * Address of a file to fetch and ingest.
   */
  url?: string;
  /**
   * Address of a web page whose main text is ingested.
   */
  websiteUrl?: string;
  /**
   * Media type of the file, for content that does not show it.
   */
  mimeType?: string;
  /**
   * Partition to ingest into.
   */
  partitionId?: string;
  /**
   * Name of the partition to ingest into, created if there is none. Trimmed, case-sensitive.
   */
  partition?: string;
  /**
   * Free-form JSON object, at most 64 KiB. Its key `externalId` is your own identifier of the document (see `upsert`).
   */
  metadata?: {
    [k: string]: JsonValue;
  };
  /**
   * With `metadata.externalId`: replaces the document of the organization that has this id. Without: if the partition has a document with the same text, or with `async` of the same file, that document is returned and none is created.
   */
  upsert?: boolean;
  /**
   * Answer with 202 as soon as the document is stored and process it afterwards. The same as `Prefer: respond-async`.
   */
  async?: boolean;
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
export interface DocumentChange {
  /**
   * New text. The document's snippets are replaced in one step.
   */
  text?: string;
  metadata?: {
    [k: string]: JsonValue;
  } | null;
  /**
   * New name.
   */
  name?: string;
  partitionId?: string | null;
}
/**
 * A record that was deleted.
 */
export interface Deleted {
  /**
   * Identifier of what was deleted.
   */
  id: string;
  /**
   * Always true.
   */
  deleted: boolean;
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
export interface PageScanRequest {
  /**
   * Address of the page.
   */
  url: string;
  /**
   * Name of the document; otherwise the page's title.
   */
  name?: string;
  /**
   * Free-form JSON object, at most 64 KiB.
   */
  metadata?: {
    [k: string]: JsonValue;
  };
  /**
   * Partition to ingest into.
   */
  partitionId?: string;
  /**
   * Name of the partition to ingest into; made where there is none.
   */
  partition?: string;
}
export interface SitemapScanRequest {
  /**
   * Host of the site, with or without `https://`, or the address of its sitemap.
   */
  rootDomain: string;
  /**
   * Partition to ingest into.
   */
  partitionId?: string;
  /**
   * Name of the partition to ingest into; made where there is none.
   */
  partition?: string;
}
/**
 * The pages of a site, as documents.
 */
export interface SitemapScan {
  /**
   * The pages, in the order of the sitemap.
   */
  documents: {
    /**
     * Identifier of the page's document.
     */
    id: string;
    /**
     * Address of the page.
     */
    url: string;
    status: DocumentStatus;
  }[];
  /**
   * What was left out, and why.
   */
  warnings: string[];
}
export interface QuestionRequest {
  /**
   * The question, 1 to 8,000 characters.
   */
  query: string;
  /**
   * Ask over this document alone.
   */
  documentId?: string;
  /**
   * Ask over this partition alone. One of the two is enough; sent with `documentId`, both must apply.
   */
  partitionId?: string;
  metadata?: MetadataFilter | null;
  /**
   * How many snippets to put into the context and to return, 1 to 50, as a number or as text.
   */
  numberOfDocumentsInContext?: number | null;
  /**
   * Answer with server-sent events, as `Accept: text/event-stream` does.
   */
  stream?: boolean;
  /**
   * Replaces the default prompt. `{contextText}` becomes the snippets, `{query}` the question; without `{query}` the question is sent after it. Other braces stay as they are.
   */
  prompt?: string;
  /**
   * `false`: only the snippets; `answer` is null.
   */
  answer?: boolean;
}
/**
 * Only documents with matching metadata. Each key has a value that must be equal, or an object of the operators `$in`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`. In a query string or form, send the filter as JSON text.
 */
export interface MetadataFilter {
  [k: string]:
    | string
    | number
    | boolean
    | null
    | {
        /**
         * @maxItems 200
         */
        $in?: (string | number | boolean | null)[];
        $ne?: string | number | boolean | null;
        $gt?: string | number;
        $gte?: string | number;
        $lt?: string | number;
        $lte?: string | number;
      };
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
     * `mean`: the average; `none`: rows that have nothing in the column; `lookup`: a row that the question names.
     */
    operation: "count" | "sum" | "mean" | "smallest" | "largest" | "none" | "filter" | "all" | "lookup";
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
export interface SearchRequest {
  /**
   * The question, 1 to 8,000 characters.
   */
  query: string;
  /**
   * Ask over this document alone.
   */
  documentId?: string;
  /**
   * Ask over this partition alone. One of the two is enough; sent with `documentId`, both must apply.
   */
  partitionId?: string;
  metadata?: MetadataFilter | null;
  /**
   * How many snippets to put into the context and to return, 1 to 50, as a number or as text.
   */
  numberOfDocumentsInContext?: number | null;
  /**
   * Answer with server-sent events, as `Accept: text/event-stream` does.
   */
  stream?: boolean;
}
export interface ChatSettings {
  title?: string | null;
  documentId?: string | null;
  partitionId?: string | null;
  /**
   * Your own name for the user who is chatting; without it, the key's user.
   */
  userId?: string;
  logoUrl?: string | null;
  /**
   * Whether the chat can be used without a key. `false` where it is not given.
   */
  public?: boolean;
  brandSettings?: {
    [k: string]: JsonValue;
  } | null;
  /**
   * Name in lists. Without it the title, else `New chat` until the first message gives it its first words.
   */
  name?: string;
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
  brandSettings: Record<string, unknown> | null;
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
  brandSettings: Record<string, unknown> | null;
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
    deleted?: boolean;
  };
  /**
   * The relevant content: the snippet's text; empty once its document is deleted.
   */
  pageContent: string;
  /**
   * Present once the document is deleted.
   */
  deleted?: boolean;
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
export interface MessageRequest {
  /**
   * Content of the message, 1 to 8,000 characters.
   */
  message: string;
  /**
   * Your own name for the sender, who keeps a conversation apart from other senders'; without it, the key's user.
   */
  userId?: string;
  /**
   * Answer with server-sent events, as `Accept: text/event-stream` does.
   */
  stream?: boolean;
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
     * `mean`: the average; `none`: rows that have nothing in the column; `lookup`: a row that the question names.
     */
    operation: "count" | "sum" | "mean" | "smallest" | "largest" | "none" | "filter" | "all" | "lookup";
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
export interface FeedbackRequest {
  /**
   * The answer's receipt. Send one of `receiptId` and `messageId`.
   */
  receiptId?: string;
  /**
   * The answer's message in a chat. Send one of `receiptId` and `messageId`.
   */
  messageId?: string;
  rating: "up" | "down";
  reason?: "wrong" | "incomplete" | "not_found" | "outdated" | "other";
  /**
   * In your own words.
   */
  comment?: string;
  /**
   * What should have been found.
   */
  expected?: {
    documentId?: string | null;
    text?: string | null;
  };
}
export interface PartitionRequest {
  /**
   * Name of the partition, 1 to 255 characters; white space around it is dropped. Case matters.
   */
  name: string;
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
export interface KeyRequest {
  /**
   * What the key is for.
   */
  name: string;
  /**
   * `reader` lists, gets, asks and sends messages; `writer` also ingests, changes and deletes; `admin` also manages keys.
   */
  role?: "reader" | "writer" | "admin";
  /**
   * User that the key acts as. Without it, the user of the calling key.
   */
  userId?: string;
  /**
   * Limits the key to one partition: records elsewhere do not exist for it. A limited key issues keys of its own partition.
   */
  partitionId?: string;
  /**
   * When the key stops working: ISO 8601 with time zone.
   */
  expiresAt?: string;
  requestsPerMinute?: number | null;
  tokensPerDay?: number | null;
  maxDocuments?: number | null;
  maxBytes?: number | null;
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
export interface SignIn {
  /**
   * The API key.
   */
  key: string;
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
  details: Record<string, unknown>;
  /**
   * `failed`: it ended with an error, and may be done in part.
   */
  outcome: "done" | "failed";
  requestId: string | null;
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
export interface TrialRequest {
  /**
   * What to try; one of `parts` of `GET /api/settings`.
   */
  part: "answer" | "embedding" | "reranker" | "parser" | "parserServer";
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
export interface DocumentEvent {
  event: "status";
  data: DocumentStatusChange;
}
/**
 * How far a document has come.
 */
export interface DocumentStatusChange {
  status: DocumentStatus;
  error: string | null;
  progress: DocumentProgress;
  reading?: PageReached;
}
export interface IngestRequestMultipart {
  /**
   * Name of the document, up to 255 characters. Required with `text`; the default is the name of the file or the title of the page.
   */
  name?: string;
  /**
   * Text to ingest. Control characters but tabs and line breaks are removed, lone surrogates become U+FFFD.
   */
  text?: string;
  /**
   * Address of a file to fetch and ingest.
   */
  url?: string;
  /**
   * Address of a web page whose main text is ingested.
   */
  websiteUrl?: string;
  /**
   * Media type of the file, for content that does not show it.
   */
  mimeType?: string;
  /**
   * Partition to ingest into.
   */
  partitionId?: string;
  /**
   * Name of the partition to ingest into, created if there is none. Trimmed, case-sensitive.
   */
  partition?: string;
  /**
   * JSON text. Free-form JSON object, at most 64 KiB. Its key `externalId` is your own identifier of the document (see `upsert`).
   */
  metadata?: string;
  /**
   * With `metadata.externalId`: replaces the document of the organization that has this id. Without: if the partition has a document with the same text, or with `async` of the same file, that document is returned and none is created.
   */
  upsert?: boolean;
  /**
   * Answer with 202 as soon as the document is stored and process it afterwards. The same as `Prefer: respond-async`.
   */
  async?: boolean;
  /**
   * The file to ingest.
   */
  file?: string;
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
