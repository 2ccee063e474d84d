/**
 * What a terminal obeys, or what turns a line round for the eye: C0, DEL and C1 controls, line and paragraph separators,
 * and the controls of text direction.
 */
const controls = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
/** The same, but for tabs and ends of lines. */
const controlsInText = /\r(?!\n)|(?![\t\n\r])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A text on one line, its control characters written as `\u001b`: in JSON, the same text. */
export const escapeControls = (text: string): string => text.replace(controls, escaped);

/** A text with another one in place of each control character. */
export const replaceControls = (text: string, by: string): string => text.replace(controls, by);

/** As `escapeControls`, for a text of several lines. */
export const escapeControlsInText = (text: string): string => text.replace(controlsInText, escaped);
