/** Colors in sRGB, 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** The contrast that text needs with its background (WCAG 2.2, 1.4.3). */
export const minContrast = 4.5;

/** `#rgb` or `#rrggbb`; null for anything else. */
export const parseColor = (text: unknown): Rgb | null => {
  const match = typeof text === "string" ? /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim()) : null;
  const digits = match?.[1];
  if (digits === undefined) return null;
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const part = (at: number): number => Number.parseInt(long.slice(at, at + 2), 16);
  return [part(0), part(2), part(4)];
};

const formatColor = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** Relative luminance, 0 to 1 (WCAG 2.2). */
const luminance = (color: Rgb): number => {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Contrast ratio of two colors, 1 to 21 (WCAG 2.2). */
export const contrast = (one: Rgb, other: Rgb): number => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

const mix = (color: Rgb, other: Rgb, share: number): Rgb =>
  color.map((part, at) => part + ((other[at] ?? 0) - part) * share) as unknown as Rgb;

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

/** The color, made darker on a light background or lighter on a dark one until text in it can be read there. */
const readableOn = (color: Rgb, background: Rgb): Rgb => {
  const target = luminance(background) > 0.4 ? black : white;
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, target, share);
    if (contrast(mixed, background) >= minContrast) return mixed;
  }
  return target;
};

/** Black or white: whichever can be read better on the color. */
const inkOn = (color: Rgb): Rgb => (contrast(color, white) >= contrast(color, black) ? white : black);

const papers: Record<"light" | "dark", Rgb> = { light: [0xfb, 0xfa, 0xf7], dark: [0x17, 0x16, 0x14] };

/** The accent of a public chat and the ink on it: the brand's color, moved in lightness until it can be read. */
export const brandColors = (color: unknown, scheme: "light" | "dark"): { accent: string; onAccent: string } | null => {
  const brand = parseColor(color);
  if (brand === null) return null;
  const accent = readableOn(brand, papers[scheme]);
  return { accent: formatColor(accent), onAccent: formatColor(inkOn(accent)) };
};
