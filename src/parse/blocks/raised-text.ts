const raisedDigits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const loweredDigits = "₀₁₂₃₄₅₆₇₈₉";
const raisedSigns: Readonly<Record<string, string>> = {
  "+": "⁺",
  "-": "⁻",
  "−": "⁻",
  "(": "⁽",
  ")": "⁾",
  n: "ⁿ",
  i: "ⁱ",
};
/** Endings of ordinal numbers and signs that are often set higher without a meaning. */
const ordinal = /^(?:st|nd|rd|th|er|re|os|as|ème|eme|®|™|°|º|ª|\*|†|‡)$/i;
/** Of those of one letter, only after a small number or an initial: 1a, 2e, No; else it is a mark. */
const ending = /^[aeo]$/i;
const beforeEnding = /(?:^|[^\p{L}\p{N}])(?:\d{1,2}|\p{L})$/u;
const maxCharacters = 12;

/** Digits and signs as Unicode superscripts; null where one has none. */
export const superscript = (text: string): string | null => {
  if (text.length > maxCharacters || !/\d|^[ni]$/.test(text)) return null;
  let raised = "";
  for (const sign of text) {
    const one = /\d/.test(sign)
      ? raisedDigits[Number(sign)]
      : (raisedSigns[sign] ?? (/[,.\s]/.test(sign) ? sign : undefined));
    if (one === undefined) return null;
    raised += one;
  }
  return raised;
};

/**
 * Text that is set higher: `10⁶`, `m²`, `1948³`; letters as `^a`, but for endings such as `19th`.
 * @param before what it stands after
 */
export const raisedText = (text: string, before: string): string => {
  const said = text.trim();
  const signs = superscript(said);
  if (signs !== null) return signs;
  if (ending.test(said) && beforeEnding.test(before.slice(-4))) return text;
  if (said === "" || ordinal.test(said) || !/^[\p{L}\p{N}+−-]{1,12}$/u.test(said)) return text;
  return said.length === 1 ? `^${said}` : `^(${said})`;
};

/** Text that is set lower: digits as Unicode subscripts, `H₂O`; letters stay. */
export const loweredText = (text: string): string =>
  /^\d{1,4}$/.test(text.trim()) ? text.trim().replace(/\d/g, (digit) => loweredDigits[Number(digit)] ?? digit) : text;
