/** Text in which Markdown links to places without a scheme are their label alone, in one pass over it. */
export const withoutInnerLinks = (text: string): string => {
  let plain = "";
  let from = 0;
  /** The last `[` that may begin a label. */
  let open = -1;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") at++;
    else if (sign === "[") open = at;
    else if (sign === "]" && open >= 0) {
      const label = text.slice(open + 1, at);
      const start = open;
      open = -1;
      if (text[at + 1] !== "(") continue;
      const close = text.indexOf(")", at + 2);
      if (close < 0) break;
      if (!/^[a-z][a-z0-9+.-]{0,40}:/i.test(text.slice(at + 2, Math.min(close, at + 50)))) {
        plain += text.slice(from, start) + label.replace(/\\([[\]])/g, "$1");
        from = close + 1;
      }
      at = close;
    }
  }
  return from === 0 ? text : plain + text.slice(from);
};
