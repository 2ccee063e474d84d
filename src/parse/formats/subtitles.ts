import type { Block, Content } from "../blocks/blocks.ts";

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
