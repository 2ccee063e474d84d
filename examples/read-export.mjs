// Reads a folder that `carrel export` wrote, with Node.js 20 or newer and nothing else.
//
//     node read-export.mjs EXPORT              what is in it, and whether it is whole
//     node read-export.mjs EXPORT TARGET       the same, and TARGET gets a Markdown file and the original of each
//                                              document, in a folder for each partition, and each chat as Markdown
//
// docs/export.md describes the files. Lines are read one after the other: memory holds one document at a time.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";

const [source, target] = process.argv.slice(2);
if (source === undefined) {
  console.error("usage: node read-export.mjs EXPORT [TARGET]");
  process.exit(2);
}

const manifest = JSON.parse(await readFile(join(source, "manifest.json"), "utf8"));
if (manifest.format !== "carrel-export" || manifest.formatVersion !== 1) {
  console.error(`this script reads carrel-export of version 1, not ${manifest.format} of ${manifest.formatVersion}`);
  process.exit(1);
}
console.log(`Organization ${manifest.organization}, exported ${manifest.createdAt} by Carrel ${manifest.carrel}`);

const sha256 = (stream) =>
  new Promise((resolve, reject) => {
    const hash = createHash("sha256");
    stream
      .on("data", (chunk) => hash.update(chunk))
      .on("error", reject)
      .on("end", () => resolve(hash.digest("hex")));
  });

/** The records of one file. A blank line is none. */
async function* records(name) {
  for await (const line of createInterface({ input: createReadStream(join(source, name)), crlfDelay: Infinity }))
    if (line.trim() !== "") yield JSON.parse(line);
}

let isWhole = true;
for (const [name, { sha256: wanted, records: count }] of Object.entries(manifest.files)) {
  const found = await sha256(createReadStream(join(source, name)));
  console.log(`${name}: ${count} records${found === wanted ? "" : " - CHANGED since the export"}`);
  isWhole &&= found === wanted;
}

/** A name that every file system takes; the id makes it unique. */
const fileName = (name, id, extension) =>
  `${
    name
      .replace(/[^\p{L}\p{N} ._-]/gu, "_")
      .slice(0, 80)
      .trim() || "unnamed"
  } ${id.slice(-12)}${extension}`;

for await (const document of records("documents.ndjson")) {
  const { id, name, partition, status, file, text, pendingText } = document;
  if (file !== null && (await sha256(createReadStream(join(source, "files", file)))) !== file) {
    console.log(`files/${file} of ${name} - CHANGED since the export`);
    isWhole = false;
  }
  if (target === undefined) {
    console.log(`  ${partition ?? "(no partition)"}: ${name} [${status}]`);
    continue;
  }
  const folder = join(target, fileName(partition ?? "no partition", document.partitionId ?? "", "").trim());
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, fileName(name, id, ".md")), text ?? pendingText ?? "");
  if (file !== null)
    await copyFile(join(source, "files", file), join(folder, fileName(name, id, extname(name) || ".bin")));
}

if (target !== undefined) {
  const chats = new Map();
  await mkdir(join(target, "chats"), { recursive: true });
  for await (const { id, name, title } of records("chats.ndjson")) {
    chats.set(id, join(target, "chats", fileName(title ?? name, id, ".md")));
    await writeFile(chats.get(id), `# ${title ?? name}\n`);
  }
  // In the order of their ids, which is that of time.
  for await (const { chatId, isSystem, message, createdAt } of records("messages.ndjson"))
    if (chats.has(chatId))
      await appendFile(chats.get(chatId), `\n**${isSystem ? "Carrel" : "User"}, ${createdAt}**\n\n${message}\n`);
}

console.log(isWhole ? "The export is whole." : "The export is not whole.");
process.exitCode = isWhole ? 0 : 1;
