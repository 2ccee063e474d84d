import packageDescription from "../../package.json" with { type: "json" };

/** Version of the program, as in package.json. */
export const version: string = packageDescription.version;
