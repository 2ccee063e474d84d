"""Writes ./en_core_web_sm: a rule-only stand-in for the spaCy model that unstructured 0.22.12 loads.

spacy.load(NAME) also accepts a folder NAME in the working directory, so no wheel is needed. Sentences come from
punctuation, verbs from a word list and endings; only the Title / NarrativeText / UncategorizedText labels differ
from the real model, never the text.      usage: cd <folder of the server> && python plain_language_model.py
"""
import spacy

VERBS = """am is are was were be been being has have had do does did can could will would shall should may might must
say says said see sees saw make makes made go goes went get gets got take takes took give gives gave know knows knew
think thinks thought find finds found show shows use uses need needs want wants become becomes became keep keeps kept""".split()

nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")
rules = nlp.add_pipe("attribute_ruler", name="verb_rules")  # its default name is on unstructured's exclude list
rules.add(patterns=[[{"LOWER": {"IN": VERBS}}], [{"LOWER": {"REGEX": r"^[a-z]{3,}(ed|ing)$"}}]], attrs={"TAG": "VB"})
nlp.to_disk("en_core_web_sm")
