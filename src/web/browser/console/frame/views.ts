import { FileText, Folder, KeyRound, MessageCircleQuestionMark, MessagesSquare, Settings } from "lucide";

/** The views of the rail, with the keys that go there. */
export const railViews = [
  { id: "documents", icon: FileText, keys: "g d" },
  { id: "ask", icon: MessageCircleQuestionMark, keys: "g a" },
  { id: "chats", icon: MessagesSquare, keys: "g c" },
  { id: "partitions", icon: Folder, keys: "g p" },
  { id: "keys", icon: KeyRound, keys: "g k" },
  { id: "settings", icon: Settings, keys: "g s" },
] as const;
