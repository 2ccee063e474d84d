/**
 * Takes the thoughts of a reasoning model out of a stream of answer text: everything from a leading `<think>` to its
 * `</think>`. Servers hand them over inside the content where they do not know the model's template. Only a mark that
 * opens the answer counts: a later one is the answer's own text.
 * @returns a function fed with deltas in order that gives what is to be shown, and `flush` for what was held back at the end
 */
export const createThoughtFilter = (): { push(delta: string): string; flush(): string } => {
  const open = "<think>";
  const close = "</think>";
  let state: "start" | "thinking" | "answer" = "start";
  let held = "";
  const push = (delta: string): string => {
    if (state === "answer") return delta;
    held += delta;
    if (state === "start") {
      const text = held.trimStart();
      if (text.length < open.length && open.startsWith(text)) return "";
      if (!text.startsWith(open)) {
        state = "answer";
        return held;
      }
      state = "thinking";
    }
    const end = held.indexOf(close);
    if (end < 0) {
      // What was thought is not kept, but for the piece that may be the beginning of the closing mark.
      held = held.slice(-close.length);
      return "";
    }
    state = "answer";
    return held.slice(end + close.length).trimStart();
  };
  return { push, flush: () => (state === "start" ? held : "") };
};
