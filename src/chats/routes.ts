import { type Static, Type } from "@sinclair/typebox";
import type { VisitorLimits } from "../access/visitor-limits.ts";
import type { QuestionDependencies } from "../answers/routes.ts";
import type { AuditedChange } from "../domain/audit.ts";
import { isChatId, notFound } from "../domain/ids.ts";
import type { Tenant } from "../domain/records.ts";
import { type Call, type Endpoint, endpoint } from "../http/endpoint.ts";
import { jsonResponse, listResponse } from "../http/respond.ts";
import { deletedSchema, idParams, toPaging } from "../http/schema/fields.ts";
import type { Store } from "../store/contract.ts";
import { isPublicChat, maxMessages, openChat, readChat } from "./chat-access.ts";
import { chatJson } from "./chat-json.ts";
import { createChat, deleteChat, findChat, listChats, putChat } from "./chats.ts";
import { messageEndpoints } from "./message-routes.ts";
import {
  type ChatSettings,
  chatExample,
  chatListQuery,
  chatQuery,
  chatSchema,
  chatSettingsBody,
  chatWithMessagesExample,
  chatWithMessagesSchema,
  visitorHeaders,
} from "./schema.ts";
import { createChatQueues } from "./send-message.ts";

const scopeErrors = [
  "invalid_request",
  "scope_conflict",
  "document_not_found",
  "partition_not_found",
  "metadata_too_large",
] as const;

/** Everything under `/api/chat`. */
export const chatEndpoints = (deps: QuestionDependencies, limits: VisitorLimits): Endpoint[] => {
  const { store } = deps;
  const queues = createChatQueues();

  const put = {
    path: "/api/chat/:id",
    access: "writer",
    tag: "Chats",
    summary: "Change a chat, or create it with this id",
    description:
      "Changes the settings that are given. Where there is no chat of this id, it is created with it: any of `[A-Za-z0-9_-]`, 1 to 64 characters.",
    params: idParams,
    body: chatSettingsBody,
    responses: { 200: chatSchema },
    errors: ["chat_not_found", ...scopeErrors],
    example: { request: { title: "Opening hours" }, response: chatExample },
    handle: async (call: Call<{ id: string }, unknown, Static<typeof chatSettingsBody>, "writer">) => {
      const { params, principal, body } = call;
      const change = await auditedSettings(store, principal, params.id, body);
      const work = () => putChat(store, principal, params.id, body);
      return chatJson(await (change === null ? work() : call.audited(change, work)));
    },
  } as const;

  return [
    endpoint({
      method: "POST",
      path: "/api/chat",
      operationId: "createChat",
      access: "writer",
      tag: "Chats",
      summary: "Create a chat",
      body: chatSettingsBody,
      responses: { 200: chatSchema },
      links: ["getChat", "putChat", "deleteChat", "sendMessage"],
      errors: scopeErrors,
      example: { request: { title: "Opening hours" }, response: chatExample },
      handle: async (call) => {
        const id = Bun.randomUUIDv7();
        const work = () => createChat(store, call.principal, call.body, id);
        const change = newChatAudited(id, call.body);
        return chatJson(await (change === null ? work() : call.audited(change, work)));
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/chat",
      operationId: "listChats",
      access: "reader",
      tag: "Chats",
      summary: "List chats",
      description: "Newest first, without messages. `X-Total-Count` holds the number of all.",
      query: chatListQuery,
      responses: { 200: Type.Array(chatSchema) },
      errors: ["invalid_request"],
      example: { response: [chatExample] },
      handle: async (call) =>
        listResponse(await listChats(store, call.principal, call.query, toPaging(call.query)), chatJson),
    }),
    endpoint({
      method: "GET",
      path: "/api/chat/:id",
      operationId: "getChat",
      access: "visitor",
      tag: "Chats",
      summary: "Get a chat with its messages",
      description: `Messages come oldest first, at most the ${maxMessages.toLocaleString("en")} newest. Without a key, a public chat shows its title, logo, brand and the visitor's own messages; the visitor is known by the header \`X-Visitor-Token\` or the cookie \`carrel_visitor\`, which the answer hands out.`,
      params: idParams,
      query: chatQuery,
      headers: visitorHeaders,
      responses: { 200: chatWithMessagesSchema },
      answerHeaders: ["X-Visitor-Token"],
      errors: ["chat_not_found", "origin_forbidden", "rate_limited"],
      example: { response: chatWithMessagesExample },
      isPublic: ({ id }) => isPublicChat(store, id),
      admit: async ({ principal, clientAddress }) => {
        if (principal === null) await limits.admit(clientAddress);
      },
      handle: async (call) => {
        const access = await openChat(deps, call);
        const body = await readChat(store, access, call.principal, call.query.userId);
        return access.visitor === null ? body : jsonResponse(body, { headers: access.visitor.headers });
      },
    }),
    endpoint({ ...put, method: "PUT", operationId: "putChat" }),
    endpoint({ ...put, method: "POST", operationId: "upsertChat" }),
    endpoint({
      method: "DELETE",
      path: "/api/chat/:id",
      operationId: "deleteChat",
      aliases: ["/chat/:id"],
      access: "writer",
      tag: "Chats",
      summary: "Delete a chat and its messages",
      params: idParams,
      responses: { 200: deletedSchema },
      errors: ["chat_not_found"],
      example: { response: { id: chatExample.id, deleted: true } },
      handle: async (call) => {
        const { principal, signal } = call;
        const { id } = await findChat(store, principal, call.params.id);
        await call.audited({ action: "chat.deleted", targetId: id }, () =>
          deleteChat({ store, chatLocks: queues.chatLocks }, principal, id, signal),
        );
        return { id: call.params.id, deleted: true };
      },
    }),
    ...messageEndpoints(deps, queues, limits),
  ] as Endpoint[];
};

/** What the audit log records of a new chat: only public chats are recorded. */
const newChatAudited = (id: string, settings: ChatSettings): AuditedChange | null =>
  settings.public === true ? { action: "chat.published", targetId: id, details: { isNew: true } } : null;

/**
 * What it records of changed settings of a chat: the names of those that were sent, not their values, which may hold
 * text. Null where nothing is changed.
 */
const auditedSettings = async (
  store: Pick<Store, "chats">,
  tenant: Tenant,
  id: string,
  settings: ChatSettings,
): Promise<AuditedChange | null> => {
  if (!isChatId(id)) throw notFound("chat_not_found");
  const chat = await store.chats.get(tenant, id);
  if (chat === null) return newChatAudited(id, settings);
  const fields = Object.keys(chatSettingsBody.properties)
    .filter((name) => Object.hasOwn(settings, name))
    .sort();
  if (fields.length === 0) return null;
  const becomes = settings.public ?? chat.public;
  const action = becomes === chat.public ? "chat.changed" : becomes ? "chat.published" : "chat.unpublished";
  return { action, targetId: id, details: { fields } };
};
