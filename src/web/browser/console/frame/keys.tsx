const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys as they stand on the keyboard: `g d` is one after the other, `Mod+k` both at once. */
export const Keys = ({ keys }: { keys: string }) => (
  <span class="keys">
    {keys.split(" ").map((key, at) => (
      <kbd key={at}>
        {key.replace("Mod+", isApple ? "⌘ " : "Ctrl ").replace(/ ([a-z])$/, (letter) => letter.toUpperCase())}
      </kbd>
    ))}
  </span>
);
