/** The style of a page of @elysiajs/swagger that Carrel does not serve. */
export const elysiajsTheme = "";
