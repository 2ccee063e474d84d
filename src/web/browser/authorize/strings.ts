/** Every text of the page on which a program is let in, in one place for translation. */
export const strings = {
  title: "Let a program in",
  question: (name: string) => `Let ${name} read your documents?`,
  unchecked: "It calls itself so: nobody has checked that. Go on only if you have just connected it yourself.",
  describedBy: (host: string) => `${host} vouches for this name.`,
  answeredAt: "Access goes to",
  role: "It may",
  reader: "search, read and ask",
  writer: "search, read, ask, and add documents",
  partition: "In",
  all: "all documents",
  hint: (key: string) => `It gets a key of its own, which ends with “${key}” and is seen and revoked under Keys.`,
  allow: "Let it in",
  deny: "Do not",
};
