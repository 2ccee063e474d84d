import type { IconNode } from "lucide";
import { CornerDownRight, FileText, MessagesSquare } from "lucide";
import type { Chat, Document } from "../../shared/api.ts";
import { type Command, commands } from "../state/commands.ts";
import { client } from "../state/session.ts";

/** A line of the palette. */
export interface Found {
  id: string;
  title: string;
  icon: IconNode;
  keys?: string;
  run(): void;
}

const maxFound = 6;

/** Whether the title holds every word that was typed. */
const fits = (title: string, typed: string): boolean =>
  typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => title.toLocaleLowerCase().includes(word));

const asFound = ({ id, title, keys, run }: Command): Found => ({
  id,
  title,
  icon: CornerDownRight,
  ...(keys === undefined ? {} : { keys }),
  run,
});

/** Commands that fit what was typed; those of the view that is open first. */
export const findCommands = (typed: string): Found[] =>
  commands.value
    .filter(({ id, title, isByKeysOnly }) => id !== "palette" && isByKeysOnly !== true && fits(title, typed))
    .toSorted((a, b) => Number(a.isGeneral ?? false) - Number(b.isGeneral ?? false))
    .map(asFound);

/** Documents and chats whose name holds what was typed. */
export const findRecords = async (
  typed: string,
  route: (path: string) => void,
  stop: AbortSignal,
): Promise<Found[]> => {
  const query = { searchValue: typed, limit: maxFound };
  const [documents, chats] = await Promise.all([
    client.get<Document[]>("/api/document", query, stop),
    client.get<Chat[]>("/api/chat", query, stop),
  ]);
  return [
    ...documents.map(({ id, name }) => ({
      id: `document-${id}`,
      title: name,
      icon: FileText,
      run: () => route(`/documents/${id}`),
    })),
    ...chats.map(({ id, name, title }) => ({
      id: `chat-${id}`,
      title: name || title || id,
      icon: MessagesSquare,
      run: () => route(`/chats/${id}`),
    })),
  ];
};
