/** Texts of the frame, of the sign-in, and of the views of partitions, keys and settings. */
export const frameStrings = {
  views: {
    documents: "Documents",
    ask: "Ask",
    chats: "Chats",
    partitions: "Partitions",
    keys: "Keys",
    settings: "Settings",
  },
};
