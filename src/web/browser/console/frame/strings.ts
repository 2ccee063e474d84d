/** Texts of the frame and of the shared components. */
export const frameStrings = {
  views: {
    documents: "Documents",
    ask: "Ask",
    chats: "Chats",
    partitions: "Partitions",
    keys: "Keys",
    settings: "Settings",
  },
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  loading: "Loading …",
  messages: "Messages",
  undo: "Undo",
};
