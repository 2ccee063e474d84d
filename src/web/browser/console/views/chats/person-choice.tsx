import type { ThreadState } from "./state/thread-state.ts";
import { chatsStrings as words } from "./strings.ts";

/** Ids that the server gives to visitors without a key: 128 random bits in base64url. */
const visitorId = /^[A-Za-z0-9_-]{22}$/;

/** A person by the name that the caller gave, a visitor by the beginning of the id. */
export const personName = (userId: string): string => (visitorId.test(userId) ? words.visitor(userId) : userId);

/** Whose conversation is read: one's own, or that of a visitor or another user of the chat. */
export const PersonChoice = ({ state }: { state: ThreadState }) => {
  const people = state.people.value;
  if (people.length < 2) return null;
  return (
    <label class="person-choice">
      <span class="quiet">{words.whose}</span>
      <select
        value={state.person.value}
        onChange={({ currentTarget }) => {
          state.person.value = currentTarget.value;
        }}
      >
        {people.map(({ userId, messages }) => (
          <option key={userId} value={userId}>
            {words.person(userId === state.ownId ? words.own : personName(userId), messages)}
          </option>
        ))}
      </select>
    </label>
  );
};
