"""Prints wordfreq's small lists: one line a word, `language<TAB>word<TAB>centibels below 1`."""

import sys

import wordfreq

for language in sorted(wordfreq.available_languages("small")):
    for centibels, words in enumerate(wordfreq.get_frequency_list(language, "small")):
        for word in words:
            sys.stdout.write(f"{language}\t{word}\t{centibels}\n")
