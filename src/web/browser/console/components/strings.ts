/** Texts of the components. */
export const componentStrings = {
  notLoaded: "This view could not be loaded: the server cannot be reached, or was upgraded in the meantime.",
  roles: { reader: "Reader", writer: "Writer", admin: "Admin" },
  roleSentence: (role: string) => `${role}: what this key may do.`,
  rights: {
    reader: "Read documents, ask questions, send messages",
    writer: "Add, change and delete documents, chats and partitions",
    admin: "Issue and revoke keys, see settings and webhooks",
  },
  notAllowed: "Not allowed:",
  limited: "It sees one partition only; everything elsewhere does not exist for it.",
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  loading: "Loading …",
  more: (shown: number, total: number) => `Show more (${shown.toLocaleString()} of ${total.toLocaleString()})`,
  newestFirst: "newest first",
  oldestFirst: "oldest first",
  sort: (column: string, order: string) => `${column}, ${order}. Turn the order round`,
  tryAgain: "Try again",
};
