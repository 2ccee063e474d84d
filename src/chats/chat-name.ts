/** Name of an unnamed chat without messages. */
export const unnamedChat = "New chat";
const maxCharacters = 60;

/** The first words of a message, at most 60 characters, cut between words where there is a gap. */
export const nameFromMessage = (message: string): string => {
  const text = message.replace(/\s+/gu, " ").trim();
  const characters = Array.from(text);
  if (characters.length <= maxCharacters) return text;
  const head = characters.slice(0, maxCharacters).join("");
  if (characters[maxCharacters] === " ") return head.trimEnd();
  const gap = head.lastIndexOf(" ");
  return gap > 0 ? head.slice(0, gap) : head;
};
