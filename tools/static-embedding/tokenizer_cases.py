"""Generates texts of all kinds with the ids that the original tokenizer gives them, for the tokenizer's test.

    python tokenizer_cases.py --cases 400 --out ../../test/fixtures/wordpiece/cases.json
"""
import argparse
import json
import random
from pathlib import Path

from targets import load_tokenizer

# Blocks from which characters are drawn, as (first, last) code points.
BLOCKS = [
    (0x20, 0x7E), (0x00, 0x1F), (0x7F, 0xA0), (0xA1, 0x24F), (0x250, 0x36F), (0x370, 0x3FF), (0x400, 0x52F),
    (0x530, 0x58F), (0x590, 0x5FF), (0x600, 0x7FF), (0x800, 0x8FF), (0x900, 0x97F), (0x980, 0x9FF), (0xB80, 0xBFF),
    (0xD00, 0xD7F), (0xE00, 0xE7F), (0xE80, 0xEFF), (0xF00, 0xFFF), (0x1000, 0x109F), (0x10A0, 0x10FF),
    (0x1100, 0x11FF), (0x1200, 0x137F), (0x13A0, 0x13FF), (0x1680, 0x17FF), (0x1800, 0x18AF), (0x1AB0, 0x1AFF),
    (0x1C00, 0x1DFF), (0x1E00, 0x1FFF), (0x2000, 0x206F), (0x2070, 0x20FF), (0x2100, 0x23FF), (0x2460, 0x27BF),
    (0x2C00, 0x2DFF), (0x2E00, 0x2E7F), (0x3000, 0x30FF), (0x3130, 0x318F), (0x3400, 0x3420), (0x4E00, 0x4F00),
    (0x9FF0, 0xA000), (0xA640, 0xA69F), (0xA800, 0xA9FF), (0xAC00, 0xAD00), (0xD7A0, 0xD7FF), (0xE000, 0xE010),
    (0xF900, 0xFA20), (0xFB00, 0xFDFF), (0xFE00, 0xFEFF), (0xFF00, 0xFFFF), (0x10000, 0x10100), (0x10400, 0x1044F),
    (0x10D20, 0x10D70), (0x11000, 0x11480), (0x119D0, 0x11A60), (0x1D165, 0x1D1AD), (0x1D400, 0x1D4FF),
    (0x1E900, 0x1E960), (0x1F1E6, 0x1F200), (0x1F300, 0x1F64F), (0x1F900, 0x1F9FF), (0x20000, 0x20020),
    (0x2B73A, 0x2B745), (0x2B81A, 0x2B925), (0x2CEA0, 0x2CEB5), (0x2F800, 0x2FA20), (0xE0001, 0xE007F),
    (0xE0100, 0xE01EF), (0x10FFF0, 0x10FFFF),
]
HAND = [
    "", " ", "\t\n\r", "Hello, World!", "naïve café Ångström", "İstanbul ISPARTA ıI", "ΟΔΥΣΣΕΥΣ Σίσυφος", "Straße ẞ ﬁne ﬀ",
    "don't stop-me_now (AB-1204/7) C++ C# $5.00 50% a&b x=y <tag>", "東京タワー 日本語テキスト 漢字", "ภาษาไทยไม่มีเว้นวรรค",
    "한국어 각 값", "हिन्दी क्षत्रिय", "العَرَبِيَّة שָׁלוֹם", "👍🏽 family 👨‍👩‍👧‍👦 flag 🇩🇪 ❤️", "zero\u200bwidth\u200djoin\ufeffbom soft\u00adhyphen",
    "nul\x00byte bell\x07 vt\x0bff\x0c nel\x85 ls\u2028ps\u2029 nbsp\xa0 \ufffd", "e\u0301 a\u0323\u0307 \u0301 q\u0307\u0323", "≠ ≮ ∉ \u226f",
    "[CLS] [SEP][MASK]x[PAD] [UNK] [cls] [ CLS ] [[SEP]] [CLS", "##ing # ## ###", "getUserName snake_case_name dotted.path.Name",
    "a" * 99, "a" * 100, "a" * 101, "é" * 100, "é" * 101, "各" * 120, "😀" * 100, "😀" * 101, "x" * 300 + " y",
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis", "１２３ ＡＢＣ ｱｲｳ ㍿", "𝐁𝐨𝐥𝐝 𐐀𐐨", "\u1e9b\u0323 ǅ Ǆ ﷺ",
    "1,234.56 2024-01-31T12:00:00Z 3°C 5µm 10⁻³ ½ №", "“quotes” ‘single’ — dash … ‹›", "\u1734 \u166d \U000111c9",
]


def draw_word(random_: random.Random, vocabulary: list[str]) -> str:
    kind = random_.random()
    if kind < 0.35:
        word = "".join(random_.choice(vocabulary).removeprefix("##") for _ in range(random_.randint(1, 3)))
        return random_.choice([str.lower, str.upper, str.title, str])(word)
    first, last = random_.choice(BLOCKS)
    characters = [chr(random_.randint(first, last)) for _ in range(random_.randint(1, 8))]
    if kind < 0.7:
        characters.insert(random_.randint(0, len(characters)), random_.choice(vocabulary).removeprefix("##"))
    if kind > 0.97:
        characters *= random_.randint(10, 40)
    return "".join(characters)


def draw_text(random_: random.Random, vocabulary: list[str]) -> str:
    gaps = [" ", " ", " ", "", "\n", "\t", "  ", ", ", ".", "-", "\u00a0", "\u3000", "\u200b", "[SEP]", "'"]
    return "".join(draw_word(random_, vocabulary) + random_.choice(gaps) for _ in range(random_.randint(1, 12)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    tokenizer = load_tokenizer()
    vocabulary = sorted(tokenizer.get_vocab())
    random_ = random.Random(options.seed)
    texts = HAND + [draw_text(random_, vocabulary) for _ in range(options.cases - len(HAND))]
    texts = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
    cases = [{"text": text, "ids": tokenizer.encode(text, add_special_tokens=False).ids} for text in texts]
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    options.out.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
