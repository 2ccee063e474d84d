/** Texts of the chats view. */
export const chatsStrings = {};
