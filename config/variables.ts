/** A text of the file after its variables were filled in. */
interface FilledText {
  text: string;
  /** It contained a variable. */
  isFilled: boolean;
  /** Why a `${…}` in it cannot be filled in. */
  problems: string[];
}

/** Puts environment variables in place of `${NAME}`; `$${` stands for a plain `${`. Values are not searched again. */
export const fillInVariables = (text: string, env: Record<string, string | undefined>): FilledText => {
  let isFilled = false;
  const problems: string[] = [];
  const filled = text.replace(
    /\$\$\{|\$\{([^}]*)(\}?)/g,
    (whole, name: string | undefined, end: string | undefined) => {
      if (whole === "$${") return "${";
      if (end === "" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name ?? "")) {
        problems.push(`has \${ without the name of a variable and }; a plain \${ is written $\${`);
        return "";
      }
      const value = env[name ?? ""];
      if (value === undefined) problems.push(`refers to \${${name}}, and there is no such environment variable`);
      isFilled = true;
      return value ?? "";
    },
  );
  return { text: filled, isFilled, problems };
};
