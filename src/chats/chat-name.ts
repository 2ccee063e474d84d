/** Name of a chat that nobody has named and nothing was said in. */
export const UNNAMED = "New chat";
const LONGEST_CHARACTERS = 60;

/** The first words of a message, at most 60 characters, cut between words where there is a gap. */
export const nameFromMessage = (message: string): string => {
  const text = message.replace(/\s+/gu, " ").trim();
  const characters = Array.from(text);
  if (characters.length <= LONGEST_CHARACTERS) return text;
  const head = characters.slice(0, LONGEST_CHARACTERS).join("");
  if (characters[LONGEST_CHARACTERS] === " ") return head.trimEnd();
  const gap = head.lastIndexOf(" ");
  return gap > 0 ? head.slice(0, gap) : head;
};
