import { afterAll, expect, test } from "bun:test";
import { putChat } from "../../src/chats/chats.ts";
import type { ChatStore } from "../../src/store/contract.ts";
import { openTemporaryStore } from "../store/open-temporary-store.ts";

const { store, dispose } = await openTemporaryStore();
afterAll(dispose);

const caller = { organizationId: "organization", partitionId: null, userId: "user" };

test("a chat that another request creates between two looks at the store is changed, not refused", async () => {
  let looks = 0;
  const chats: ChatStore = {
    ...store.chats,
    // The other request creates the chat right after the first look.
    async get(tenant, id) {
      if (looks++ > 0) return await store.chats.get(tenant, id);
      const found = await store.chats.get(tenant, id);
      await putChat(store, caller, id, { title: "Theirs" });
      return found;
    },
  };
  const chat = await putChat({ ...store, chats }, caller, "raced", { title: "Mine" });
  expect(chat).toMatchObject({ id: "raced", title: "Mine" });
});
