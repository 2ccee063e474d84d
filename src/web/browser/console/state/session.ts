import { signal } from "@preact/signals";
import type { Key } from "../../shared/api.ts";
import { type Client, createClient } from "../client.ts";

/** The key that is signed in; null: nobody; undefined: not known yet. */
export const session = signal<Key | null | undefined>(undefined);

/** The one client of the console. */
export const client: Client = createClient(() => {
  session.value = null;
});

/** Whether the key that is signed in may change documents and chats. */
export const mayWrite = (): boolean => session.value?.role === "writer" || session.value?.role === "admin";

/** Whether it may manage keys and settings. */
export const isAdmin = (): boolean => session.value?.role === "admin";
