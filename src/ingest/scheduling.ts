/** The two words that decide when a document is worked on. */

/** How urgent: `interactive` where a caller waits for the document, `background` where nobody does. */
export type Urgency = "interactive" | "background";

/** How large: a `small` document is indexed within a few milliseconds; all others are `large`. */
export type Size = "small" | "large";
