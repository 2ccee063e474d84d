import type { AuditedChange } from "../domain/audit.ts";
import { isChatId, notFound } from "../domain/ids.ts";
import type { Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";
import { type ChatSettings, chatSettingsBody } from "./schema.ts";

/** What the audit log records of a new chat: only public chats are recorded. */
export const newChatAudited = (id: string, settings: ChatSettings): AuditedChange | null =>
  settings.public === true ? { action: "chat.published", targetId: id, details: { isNew: true } } : null;

/**
 * What it records of changed settings of a chat: the names of those that were sent, not their values, which may hold
 * text. Null where nothing is changed.
 */
export const auditedSettings = async (
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
