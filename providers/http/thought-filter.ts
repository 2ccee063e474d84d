/**
 * Takes the thoughts of a reasoning model out of a stream of answer text: everything from a leading `<think>` to its
 * `</think>`. A server that does not know the model's template sends them inside the content. Only a mark that
 * opens the answer counts: a later one belongs to the answer.
 * @returns `push`, which takes the deltas in order and gives what to show, and `flush` for what is held back at the end
 */
export const createThoughtFilter = (): { push(delta: string): string; flush(): string } => {
  const open = "<think>";
  const close = "</think>";
  /** Whitespace before the mark and the mark itself. */
  const maxHeld = 1_000;
  let state: "start" | "thinking" | "answer" = "start";
  let held = "";
  const push = (delta: string): string => {
    if (state === "answer") return delta;
    held += delta;
    if (state === "start") {
      const text = held.trimStart();
      if (text.length < open.length && open.startsWith(text) && held.length < maxHeld) return "";
      if (!text.startsWith(open)) {
        state = "answer";
        return held;
      }
      state = "thinking";
    }
    const end = held.indexOf(close);
    if (end < 0) {
      // Thoughts are not kept, except for what may be the beginning of the closing mark.
      held = held.slice(-close.length);
      return "";
    }
    state = "answer";
    return held.slice(end + close.length).trimStart();
  };
  return { push, flush: () => (state === "start" ? held : "") };
};
