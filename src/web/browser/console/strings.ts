import { frameStrings } from "./frame/strings.ts";
import { askStrings } from "./views/ask/strings.ts";
import { chatsStrings } from "./views/chats/strings.ts";
import { documentStrings } from "./views/document/strings.ts";
import { documentsStrings } from "./views/documents/strings.ts";
import { keysStrings } from "./views/keys/strings.ts";
import { partitionsStrings } from "./views/partitions/strings.ts";
import { settingsStrings } from "./views/settings/strings.ts";

/** Every text of the console, by part; a translation replaces this object. */
export const strings = {
  frame: frameStrings,
  documents: documentsStrings,
  document: documentStrings,
  ask: askStrings,
  chats: chatsStrings,
  partitions: partitionsStrings,
  keys: keysStrings,
  settings: settingsStrings,
};
