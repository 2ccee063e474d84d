import { type ErrorCode, errorTable } from "../../domain/errors.ts";
import { escapeHtml, htmlPage } from "../html-page.ts";

const introduction =
  "Every error is a problem document (RFC 9457, `application/problem+json`) with `type`, `title`, `status`, `detail`, " +
  "`instance`, a stable `code`, the `requestId` (also the header `X-Request-Id`) and, where fields are at fault, " +
  "`errors`: a list of `{path, message}`. `detail` says what to do next; test for `code`, not for words.";

/** `docs/errors.md`: made from the error table by `tools/write-docs.ts`. */
export const errorsMarkdown = (): string =>
  [
    "# Errors",
    "",
    introduction,
    "",
    "| status | code | meaning | what to do |",
    "|---|---|---|---|",
    ...errorEntries.map(({ status, code, title, note }) => `| ${status} | \`${code}\` | ${title} | ${note} |`),
    "",
  ].join("\n");

/** `/docs/errors`: the page that a problem document's `type` points to. @param prefix of every path */
export const errorsHtml = (prefix: string): string =>
  htmlPage(
    "Errors",
    `<p><a href="${prefix}/docs">Guides and API reference</a></p>
<h1>Errors</h1>
<p>${inline(introduction)}</p>
<dl>
${errorEntries
  .map(
    ({ status, code, title, note }) =>
      `<dt id="${code}"><code>${code}</code> ${status}</dt>\n<dd><strong>${escapeHtml(title)}.</strong> ${inline(note)}</dd>`,
  )
  .join("\n")}
</dl>`,
  );

const inline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/** What each code means and what to do, for people. */
const notes: Record<ErrorCode, string> = {
  malformed_body:
    "The body is not valid JSON, form or multipart data, is not UTF-8, is nested too deep, or ended before it was complete. Nothing was changed.",
  invalid_request:
    "A field is missing, of the wrong type, too long, blank or out of range. `errors` names each with its path.",
  no_source: "An ingest needs exactly one of `text`, `url`, `websiteUrl` or a part named `file`.",
  several_sources: "An ingest takes only one of `text`, `url`, `websiteUrl` and `file`.",
  scope_conflict: "`documentId` and `partitionId` were both given and the document is not in that partition.",
  partition_conflict: "`partition` and `partitionId` were both given and are not the same partition. Send one of them.",
  unsupported_value:
    "A value of OpenAI's API that Carrel cannot honor: more than one answer, a forced tool, another form than text, a picture in the last message, a conversation that is kept elsewhere. `param` names it.",
  query_too_long:
    "The question, the last message of the user, has more than 8,000 characters. Shorten it, or add the text as a document.",
  model_not_found:
    "`GET /v1/models` lists the models: `carrel`, and `carrel/<partition>` for each partition that the key may see.",
  address_refused:
    "The address, or one it redirects to, is loopback, private or otherwise reserved. The operator can allow such addresses with `fetch.allowPrivateAddresses`.",
  key_missing: "Send the header `Authorization: Bearer <key>`.",
  key_unknown: "The key was never issued here, or it was revoked.",
  key_expired: "The key's `expiresAt` has passed. Ask for a new key.",
  session_ended:
    "The cookie `carrel_session` belongs to no valid session: the user signed out, the session was not used for 12 hours, or its key was revoked or has expired. Sign in again.",
  session_header_missing: "A request by cookie that changes something needs the header `X-Carrel-Session: 1`.",
  role_forbidden:
    "`reader` keys read and ask, `writer` keys also change documents, chats and partitions, `admin` keys also manage keys.",
  key_limited: "The key is limited to one partition, and the operation affects others.",
  organization_forbidden:
    "The operation concerns the whole server: backups, settings, storage, models, health and metrics. It takes an `admin` key of the organization `default`; another organization's admin has the documents, chats, keys, audit log, export and import of its own.",
  origin_forbidden:
    "The request came from a page of a web origin that the operator has not allowed (`publicChats.allowedOrigins`).",
  route_not_found: "No operation has this path. `/docs` lists them all.",
  document_not_found: "No document with this id exists for this key. Documents of other organizations look the same.",
  partition_not_found: "No partition with this id exists for this key.",
  chat_not_found: "No chat with this id exists for this key.",
  message_not_found: "No answer with this message id exists for this caller.",
  receipt_not_found:
    "No receipt with this id exists for this caller. Receipts are kept for `receipts.keep`, and erased with the documents and the chat that they name.",
  feedback_not_found: "No feedback with this id exists for this key.",
  key_not_found: "No key with this id exists in this organization.",
  delivery_not_found: "No delivery with this id exists for this key. Completed deliveries are kept for a week.",
  file_not_found: "The document was made from text: there is no original file to return.",
  method_not_allowed: "The path exists; the header `Allow` lists its methods.",
  body_too_slow:
    "The body did not begin within 10 seconds, or came more slowly than 1 KiB a second. Nothing was changed, but for the lines of a batch or an import that were answered or stored before.",
  partition_name_taken: "Another partition of the organization has this name.",
  partition_not_empty: "Add `?documents=delete` to delete the documents too, or `?documents=detach` to keep them.",
  chat_scope_gone: "The document or partition that the chat is about was deleted. The chat can still be read.",
  document_busy: "Only a pending document can be canceled, and only a failed one can be retried.",
  part_not_configured: "Configure it (docs/models.md) and restart the server first.",
  webhook_gone: "No entry of `webhooks` in the configuration has the address of this delivery.",
  quota_reached:
    "The key or its organization has stored as many documents or bytes as it may. The detail names the limit, and the setting that holds it. Delete what is no longer needed, or ask the operator for more.",
  backup_refused:
    "No target is set, or a backup to another target waits already. Set `backup.path`, or wait until the other is complete.",
  idempotency_conflict:
    "The `Idempotency-Key` was used within 24 hours for another request, or that request still runs. Use a new key for a new request.",
  body_too_large:
    "The body is longer than the operation accepts: 1 MiB, without a key 256 KiB; where it carries a document, `server.maxBodyBytes`.",
  document_too_large: "The file or page is longer than `ingest.maxDocumentBytes` or `fetch.maxBytes`.",
  metadata_too_large: "`metadata` or `brandSettings` takes more than 64 KiB as JSON.",
  answer_too_large:
    "The answer would carry more than 32 MiB of text (`include=originalText`). Ask for fewer documents, or for each text at its `parsedUrl`.",
  question_too_long: "The question alone does not fit the model's context. Shorten it.",
  unsupported_media_type:
    "Send the body as `application/json`, `application/x-www-form-urlencoded` or `multipart/form-data`, in UTF-8.",
  unsupported_file_type: "No configured parser reads this type of file. The detail says what would be needed.",
  no_text: "The file or page was read, but there is no text in it.",
  unreadable_file: "The file is damaged, encrypted or incomplete.",
  fetch_failed: "The remote server could not be reached or answered with an error; the detail says which.",
  rate_limited:
    "Too many requests, messages or model tokens in a minute or a day. The detail names the limit; `Retry-After` says how many seconds to wait. Answers to limited keys say in `RateLimit` how much is left.",
  internal: "An unexpected error in the server. Its log holds the cause under the answer's `requestId`.",
  model_failed:
    "The model server answered with an error. Admin keys and the log get its name, its message and what to do.",
  parser_failed: "The parsing server answered with an error.",
  model_unreachable:
    "The model server cannot be reached or is overloaded. `Retry-After` says how many seconds to wait.",
  parser_unreachable: "The parsing server cannot be reached.",
  draining: "The server is stopping. Send the request again in a moment.",
  data_damaged:
    "What is asked for is not on the disk as it was written, and nothing else in the store can replace it. The detail names it and the backup to restore it from; `carrel check` lists all damage.",
  index_incomplete:
    "Part of the search index was damaged, and is being made again from the texts. Nothing was found in the rest; try again in a moment.",
  storage_unavailable:
    "The store cannot write, usually because the disk is full: reading still works then. Or the data directory is not in its place, or the server may open no more files: the detail says which.",
  overloaded:
    "Too many requests are being processed, or held in memory (`server.maxInFlightBytes`): by all callers together, or by this key or network alone. Send the request again in a moment.",
  model_timeout: "The model server sent nothing for longer than its `timeoutMs`.",
  parser_timeout: "The file took longer to parse than `parser.timeoutMs`.",
  fetch_timeout: "The address took longer than `fetch.timeoutMs`.",
};

/** Every code with its status, title and note, in the order of the table. */
export const errorEntries = Object.entries(errorTable).map(([code, { status, title }]) => ({
  code: code as ErrorCode,
  status,
  title,
  note: notes[code as ErrorCode],
}));
