import iconv from "iconv-lite";
import type { Block, Content } from "../blocks/blocks.ts";
import { pairsIn } from "../blocks/tidy-text.ts";

/** A line of a card or calendar: `NAME;PARAMETER=VALUE:value`. */
interface Property {
  name: string;
  /** What several properties of one thing have in common: `item1` of `item1.TEL` and `item1.X-ABLabel`. */
  group: string;
  parameters: Record<string, string>;
  value: string;
}

const maxNamedParameters = 20;

/** Lines made whole (RFC 5545, 3.1; vCard 2.1 ends them in `=`), and their parts. */
const propertiesOf = (text: string): Property[] => {
  const lines: string[] = [];
  for (const line of text.replace(/\r\n?/g, "\n").split("\n")) {
    const last = lines.at(-1);
    const goesOn = last?.endsWith("=") && /ENCODING=QUOTED-PRINTABLE|;QUOTED-PRINTABLE/i.test(last.slice(0, 200));
    if (last !== undefined && goesOn) lines[lines.length - 1] = last.slice(0, -1) + line;
    else if (last !== undefined && /^[ \t]/.test(line)) lines[lines.length - 1] = last + line.slice(1);
    else lines.push(line);
  }
  return lines.flatMap((line): Property[] => {
    const colon = endOfName(line);
    if (colon < 0) return [];
    const [stated = "", ...rest] = line.slice(0, colon).split(";").slice(0, maxNamedParameters);
    const parameters: Record<string, string> = {};
    for (const parameter of rest) {
      const equals = parameter.indexOf("=");
      if (equals < 0) parameters[/^(quoted-printable|base64)$/i.test(parameter) ? "ENCODING" : "TYPE"] = parameter;
      else parameters[parameter.slice(0, equals).toUpperCase()] = parameter.slice(equals + 1).replace(/"/g, "");
    }
    const dot = stated.lastIndexOf(".");
    const [group, name] = [stated.slice(0, Math.max(dot, 0)), stated.slice(dot + 1).toUpperCase()];
    return [{ name, group, parameters, value: decoded(line.slice(colon + 1), parameters) }];
  });
};

/** The colon after the name and its parameters, whose values may be quoted. */
const endOfName = (line: string): number => {
  let isQuoted = false;
  for (let at = 0; at < Math.min(line.length, 1_000); at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (line[at] === ":" && !isQuoted) return at;
  }
  return -1;
};

const decoded = (value: string, { ENCODING, CHARSET }: Record<string, string>): string => {
  if (!/^(quoted-printable|q)$/i.test(ENCODING ?? "")) return value;
  const bytes = value.replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const charset = CHARSET !== undefined && iconv.encodingExists(CHARSET) ? CHARSET : "utf-8";
  return iconv.decode(Buffer.from(bytes, "latin1"), charset);
};

const unescaped = (value: string): string =>
  value.replace(/\\([nN,;\\:])/g, (_, sign: string) => (/n/i.test(sign) ? "\n" : sign)).trim();

/** Parts of a structured value, such as an address. */
const partsOf = (value: string): string =>
  value
    .split(/(?<!\\);/)
    .map(unescaped)
    .filter((part) => part !== "")
    .join(", ");

const cardNames = pairsIn(
  "ORG:Organization TITLE:Title ROLE:Role TEL:Phone EMAIL:Email ADR:Address URL:Web BDAY:Birthday NICKNAME:Nickname NOTE:Note CATEGORIES:Categories IMPP:Messenger X-SOCIALPROFILE:Profile ANNIVERSARY:Anniversary RELATED:Related",
);

/** Contacts (vCard 2.1 to 4.0): each under its name; pictures and sounds are left out. */
export const readCards = (text: string): Content => {
  const blocks: Block[] = [];
  for (const card of sections(propertiesOf(text), "VCARD")) {
    const formatted = card.find(({ name }) => name === "FN");
    const parted = card.find(({ name }) => name === "N");
    const name = unescaped(formatted?.value ?? "") || namesInOrder(parted?.value ?? "");
    if (name !== "") blocks.push({ kind: "heading", level: 2, text: name });
    const ownLabels = new Map(
      card.filter(({ name }) => name === "X-ABLABEL").map(({ group, value }) => [group, value]),
    );
    for (const { name: key, group, parameters, value } of card) {
      const label = cardNames.get(key);
      const text = partsOf(value);
      if (label === undefined || text === "") continue;
      // The address book of Apple writes the names of its own labels as `_$!<HomePage>!$_`.
      const own = unescaped((group === "" ? undefined : ownLabels.get(group)) ?? "").replace(/^_\$!<|>!\$_$/g, "");
      const types = (parameters.TYPE ?? "").toLowerCase().split(",");
      const told = [...types.filter((one) => !/^(internet|pref|)$/.test(one)), own].filter((one) => one !== "");
      const note = told.length > 0 ? ` (${told.join(", ")})` : "";
      blocks.push({
        kind: "item",
        depth: 0,
        marker: "-",
        text: `${label}${note}: ${text.replace(/^(tel|mailto):/i, "")}`,
      });
    }
  }
  return { title: null, blocks, warnings: [] };
};

/** `Family;Given;Middle;Prefix;Suffix` as it is spoken. */
const namesInOrder = (value: string): string => {
  const [family = "", given = "", middle = "", prefix = "", suffix = ""] = value.split(/(?<!\\);/).map(unescaped);
  return [prefix, given, middle, family, suffix].filter((part) => part !== "").join(" ");
};

/** Properties between `BEGIN:NAME` and `END:NAME`, without those of sections inside. */
const sections = (properties: readonly Property[], wanted: string): Property[][] => {
  const found: Property[][] = [];
  let inside: string[] = [];
  for (const property of properties) {
    const kind = property.value.trim().toUpperCase();
    if (property.name === "BEGIN") {
      if (inside.length < 20) inside.push(kind);
      if (kind === wanted) found.push([]);
    } else if (property.name === "END") inside = inside.slice(0, Math.max(inside.lastIndexOf(kind), 0));
    else if (inside.at(-1) === wanted) found.at(-1)?.push(property);
  }
  return found;
};

const eventNames = pairsIn(
  "DTSTART:Begin DTEND:End DUE:Due DURATION:Duration RRULE:Repeats LOCATION:Place STATUS:Status ORGANIZER:Organizer ATTENDEE:Attendee CATEGORIES:Categories URL:Web DESCRIPTION:Description",
);

/** A calendar (RFC 5545): each event and task under its summary. */
export const readCalendar = (text: string): Content => {
  const properties = propertiesOf(text);
  const stated = (...names: string[]) => unescaped(properties.find(({ name }) => names.includes(name))?.value ?? "");
  const [title, about] = [stated("X-WR-CALNAME", "NAME"), stated("X-WR-CALDESC")];
  const blocks: Block[] = title === "" ? [] : [{ kind: "heading", level: 1, text: title }];
  if (about !== "") blocks.push({ kind: "paragraph", text: about });
  for (const kind of ["VEVENT", "VTODO", "VJOURNAL"]) {
    for (const event of sections(properties, kind)) {
      const summary = event.find(({ name }) => name === "SUMMARY");
      blocks.push({ kind: "heading", level: 2, text: unescaped(summary?.value ?? "") || "Without a title" });
      for (const { name, parameters, value } of event) {
        const label = eventNames.get(name);
        if (label === undefined) continue;
        const text = /^(DTSTART|DTEND|DUE)$/.test(name)
          ? momentOf(value, parameters.TZID)
          : [parameters.CN, unescaped(value).replace(/^mailto:/i, "")].filter(Boolean).join(" ");
        if (text !== "") blocks.push({ kind: "item", depth: 0, marker: "-", text: `${label}: ${text}` });
      }
    }
  }
  return { title: title === "" ? null : title, blocks, warnings: [] };
};

/** `20240912T093000` as `2024-09-12 09:30`, with its time zone. */
const momentOf = (value: string, zone: string | undefined): string => {
  const found = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?/.exec(value.trim());
  if (found === null) return unescaped(value);
  const [, year, month, day, hour, minute, , utc] = found;
  const time = hour === undefined ? "" : ` ${hour}:${minute}${utc === "Z" ? " UTC" : zone ? ` (${zone})` : ""}`;
  return `${year}-${month}-${day}${time}`;
};

/** The pause after which the next words are a new paragraph, in seconds. */
const longPause = 4;
const maxParagraphCharacters = 800;

const timing =
  /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})/;

/**
 * Subtitles (SubRip, WebVTT) as running text: a paragraph for each speaker and after each pause, with the time at which
 * it begins. Styles, notes and places on the screen are left out.
 */
export const readSubtitles = (text: string): Content => {
  const blocks: Block[] = [];
  let open: { speaker: string; begin: string; words: string[]; end: number } | null = null;
  const close = () => {
    if (open === null || open.words.length === 0) return;
    const speaker = open.speaker === "" ? "" : `${open.speaker}: `;
    blocks.push({ kind: "paragraph", text: `[${open.begin}] ${speaker}${open.words.join(" ")}` });
  };
  for (const cue of text.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n/)) {
    const lines = cue.split("\n");
    const at = lines.findIndex((line) => timing.test(line));
    const found = timing.exec(lines[at] ?? "");
    if (found === null) continue;
    const [begin, end] = [secondsOf(found.slice(1, 5)), secondsOf(found.slice(5, 9))];
    for (const said of spokenIn(lines.slice(at + 1).join("\n"))) {
      const isNew =
        open === null ||
        said.speaker !== open.speaker ||
        begin - open.end > longPause ||
        open.words.join(" ").length > maxParagraphCharacters;
      if (isNew) {
        close();
        open = { speaker: said.speaker, begin: clockOf(begin), words: [], end };
      }
      if (open === null) continue;
      // Automatic subtitles repeat the line before.
      if (open.words.at(-1) !== said.words) open.words.push(said.words);
      open.end = end;
    }
  }
  close();
  return { title: null, blocks, warnings: [] };
};

const spokenIn = (lines: string): { speaker: string; words: string }[] => {
  const parts = lines.split(/<v(?:\.[^\s<>]{0,80})?[ \t]([^<>]{1,100})>/);
  const spoken: { speaker: string; words: string }[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const words = plain(parts[at] ?? "");
    const named = at === 0 ? /^([\p{Lu}][\p{L} .'-]{0,30}): (?=\S)/u.exec(words) : null;
    const speaker = at > 0 ? (parts[at - 1] ?? "").trim() : (named?.[1] ?? "");
    if (words !== "") spoken.push({ speaker, words: named ? words.slice(named[0].length) : words });
  }
  return spoken;
};

const plain = (text: string): string =>
  text
    .replace(/<[^<>]{0,200}>|\{\\[^{}]{0,200}\}/g, "")
    .replace(
      /&(lt|gt|amp|nbsp|lrm|rlm);/g,
      (_, name: string) => ({ lt: "<", gt: ">", amp: "&", nbsp: " " })[name] ?? "",
    )
    .replace(/\s+/g, " ")
    .trim();

const secondsOf = ([hours, minutes, seconds, fraction]: readonly (string | undefined)[]): number =>
  Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);

const clockOf = (seconds: number): string => {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
};
