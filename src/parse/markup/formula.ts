import { normalForm } from "../../text/clean-text.ts";
import { loweredText, superscript } from "../blocks/tidy-text.ts";
import { childElements, childNamed, type MarkupElement, textOf } from "./markup.ts";

const maxDepth = 60;
/** Signs over a letter, as MathML states them, by those that join it. */
const accents: Readonly<Record<string, string>> = {
  "^": "\u0302",
  ˆ: "\u0302",
  "~": "\u0303",
  "¯": "\u0304",
  "‾": "\u0304",
  "˙": "\u0307",
  "→": "\u20d7",
};

/** A formula of MathML or Office (OMML) as linear text: `a/b`, `√(l/g)`, `x²`, `∑_(i=1)^n i`. */
export const formulaText = (element: MarkupElement, depth = 0): string => {
  if (depth > maxDepth) return "";
  const { name } = element;
  const inner = (part: MarkupElement | null | undefined): string => (part ? formulaText(part, depth + 1) : "");
  const all = (parts: readonly MarkupElement[]): string => parts.map(inner).join("");
  const children = childElements(element);
  const named = (wanted: string) => childNamed(element, wanted);
  const property = (wanted: string): string | undefined =>
    childNamed(children.find((child) => child.name.endsWith("Pr")) ?? null, wanted)?.attributes["m:val"];
  const [first, second, third] = children;
  switch (name) {
    case "m:f":
      return fraction(inner(named("m:num")), inner(named("m:den")));
    case "m:sSup":
      return inner(named("m:e")) + power(inner(named("m:sup")));
    case "m:sSub":
      return inner(named("m:e")) + index(inner(named("m:sub")));
    case "m:sSubSup":
      return inner(named("m:e")) + index(inner(named("m:sub"))) + power(inner(named("m:sup")));
    case "m:rad":
      return root(inner(named("m:e")), inner(named("m:deg")));
    case "m:nary":
      return `${property("m:chr") ?? "∫"}${index(inner(named("m:sub")))}${power(inner(named("m:sup")))} ${inner(named("m:e"))}`;
    case "m:d": {
      const parts = children.filter((child) => child.name === "m:e").map(inner);
      return `${property("m:begChr") ?? "("}${parts.join(property("m:sepChr") ?? ", ")}${property("m:endChr") ?? ")"}`;
    }
    case "m:func":
      return `${inner(named("m:fName"))} ${inner(named("m:e"))}`;
    case "m:acc":
      return normalForm(`${inner(named("m:e"))}${property("m:chr") ?? "\u0302"}`, "NFC");
    case "m:limLow":
      return `${inner(named("m:e"))}${index(inner(named("m:lim")))}`;
    case "m:m":
    case "mtable":
      return `[${children
        .filter((child) => /^(m:mr|mtr)$/.test(child.name))
        .map(inner)
        .join("; ")}]`;
    case "m:mr":
    case "mtr":
      return children.map(inner).join(", ");
    case "m:t":
    case "mi":
    case "mn":
    case "mtext":
    case "ms":
      return textOf(element).replace(/\s+/g, " ").trim() || (name === "m:t" ? " " : "");
    case "mo": {
      const sign = textOf(element).trim();
      if (/^[\u2061-\u2064]$/.test(sign)) return "";
      return /^[=+<>≤≥≠≈→±−∈×·]$/.test(sign) ? ` ${sign} ` : sign;
    }
    case "mfrac":
      return fraction(inner(first), inner(second));
    case "mover":
    case "msup": {
      const mark = accents[textOf(second ?? element).trim()];
      if (name === "mover" && mark !== undefined && inner(first).length === 1)
        return normalForm(inner(first) + mark, "NFC");
      return inner(first) + power(inner(second));
    }
    case "msub":
    case "munder":
      return inner(first) + index(inner(second));
    case "msubsup":
    case "munderover":
      return inner(first) + index(inner(second)) + power(inner(third));
    case "msqrt":
      return root(all(children), "");
    case "mroot":
      return root(inner(first), inner(second));
    case "semantics":
      return inner(first);
    case "annotation":
    case "annotation-xml":
      return "";
    case "mspace":
      return " ";
    default:
      return name.endsWith("Pr") ? "" : all(children);
  }
};

const isSimple = (text: string): boolean => /^[\p{L}\p{N}.,√∞⁰¹²³⁴-⁹₀-₉]{0,20}$/u.test(text);
export const grouped = (text: string): string => (isSimple(text.trim()) ? text.trim() : `(${text.trim()})`);
export const fraction = (above: string, below: string): string => `${grouped(above)}/${grouped(below)}`;
const root = (inside: string, degree: string): string =>
  `${degree.trim() === "" ? "" : (superscript(degree.trim()) ?? degree.trim())}√(${inside.trim()})`;
export const power = (text: string): string => {
  const said = text.trim();
  return said === "" ? "" : (superscript(said) ?? `^${grouped(said)}`);
};
export const index = (text: string): string => {
  const said = text.trim();
  if (said === "") return "";
  return /^\d{1,4}$/.test(said) ? loweredText(said) : `_${grouped(said)}`;
};
