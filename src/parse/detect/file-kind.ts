/** The kinds of file that are recognized, with the media type each is stored under. */
export const fileKinds = {
  text: "text/plain",
  markdown: "text/markdown",
  html: "text/html",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  json: "application/json",
  jsonl: "application/x-ndjson",
  yaml: "application/yaml",
  xml: "application/xml",
  email: "message/rfc822",
  mailbox: "application/mbox",
  notebook: "application/x-ipynb+json",
  calendar: "text/calendar",
  card: "text/vcard",
  subtitles: "text/vtt",
  latex: "application/x-tex",
  asciidoc: "text/asciidoc",
  rest: "text/x-rst",
  org: "text/x-org",
  rtf: "application/rtf",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odp: "application/vnd.oasis.opendocument.presentation",
  epub: "application/epub+zip",
  msg: "application/vnd.ms-outlook",
  zip: "application/zip",
  tar: "application/x-tar",
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
} as const;

export type FileKind = keyof typeof fileKinds;

/** Kinds whose bytes are text; which of them a file is, its content alone cannot always tell. */
export type TextKind =
  | "text"
  | "markdown"
  | "html"
  | "csv"
  | "tsv"
  | "json"
  | "jsonl"
  | "yaml"
  | "xml"
  | "email"
  | "mailbox"
  | "notebook"
  | "calendar"
  | "card"
  | "subtitles"
  | "latex"
  | "asciidoc"
  | "rest"
  | "org"
  | "rtf";

const textTypes: [RegExp, TextKind][] = [
  [/^text\/(x-)?markdown$/, "markdown"],
  [/^(text\/html|application\/xhtml\+xml)$/, "html"],
  [/^(text|application)\/(x-)?(csv|comma-separated-values)$/, "csv"],
  [/^text\/(tab-separated-values|tsv)$/, "tsv"],
  [/^application\/(x-)?(ndjson|jsonl|jsonlines|json-seq)$/, "jsonl"],
  [/^(application|text)\/(json|(\S+\+)json)$/, "json"],
  [/^(application|text)\/(x-)?ya?ml$/, "yaml"],
  [/^(application|text)\/(xml|(\S+\+)xml)$/, "xml"],
  [/^message\/rfc822$/, "email"],
  [/^(application|text)\/(x-)?rtf$/, "rtf"],
  [/^application\/mbox$/, "mailbox"],
  [/^text\/(x-)?(v)?calendar$/, "calendar"],
  [/^text\/(x-)?(v|directory)card$/, "card"],
  [/^(text\/vtt|application\/x-subrip|text\/srt)$/, "subtitles"],
  [/^(application|text)\/(x-)?(la)?tex$/, "latex"],
  [/^text\/(x-)?asciidoc$/, "asciidoc"],
  [/^text\/(x-rst|prs\.fallenstein\.rst)$/, "rest"],
  [/^text\/(x-)?org$/, "org"],
  [/^text\//, "text"],
];

const textExtensions: Record<string, TextKind> = {
  md: "markdown",
  markdown: "markdown",
  mdx: "markdown",
  html: "html",
  htm: "html",
  xhtml: "html",
  csv: "csv",
  tsv: "tsv",
  tab: "tsv",
  json: "json",
  geojson: "json",
  jsonl: "jsonl",
  ndjson: "jsonl",
  yaml: "yaml",
  yml: "yaml",
  xml: "xml",
  eml: "email",
  mht: "email",
  mhtml: "email",
  rtf: "rtf",
  txt: "text",
  text: "text",
  log: "text",
  rst: "rest",
  rest: "rest",
  org: "org",
  adoc: "asciidoc",
  asciidoc: "asciidoc",
  tex: "latex",
  latex: "latex",
  ltx: "latex",
  srt: "subtitles",
  vtt: "subtitles",
  sbv: "text",
  mbox: "mailbox",
  mbx: "mailbox",
  ics: "calendar",
  ical: "calendar",
  vcf: "card",
  vcard: "card",
  enex: "xml",
  rss: "xml",
  atom: "xml",
  fodt: "xml",
  fods: "xml",
  fodp: "xml",
};

/** The kind of text a declared type names; null for one that is not text or unknown. `mimeType` has no parameters. */
export const kindOfTextType = (mimeType: string): TextKind | null =>
  textTypes.find(([pattern]) => pattern.test(mimeType))?.[1] ?? null;

/** The kind of text that a file name's extension means, or null. */
export const kindOfTextName = (name: string): TextKind | null =>
  textExtensions[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ""] ?? null;
