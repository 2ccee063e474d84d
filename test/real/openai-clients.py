"""Asks a running Carrel with OpenAI's clients for Python. CARREL_URL and CARREL_KEY say where; prints one line of JSON."""

import json
import os

import litellm
import openai
from langchain_openai import ChatOpenAI

address = {"base_url": os.environ["CARREL_URL"] + "/v1", "api_key": os.environ["CARREL_KEY"], "max_retries": 0}
question = "When is the boiler serviced?"
messages = [{"role": "user", "content": question}]
client = openai.OpenAI(**address)
found = {}

found["models"] = [model.id for model in client.models.list()]
found["retrieved"] = client.models.retrieve("carrel/house").id
answer = client.chat.completions.create(model="carrel", messages=messages)
found["text"] = answer.choices[0].message.content
found["annotations"] = len(answer.choices[0].message.annotations)
found["carrel"] = sorted(answer.model_extra["carrel"])
with client.chat.completions.stream(model="carrel", messages=messages) as stream:
    for _ in stream:
        pass
    message = stream.get_final_completion().choices[0].message
    found["streamed"] = message.content
    found["streamed annotations"] = len(message.annotations)
response = client.responses.create(model="carrel", input=question)
found["response"] = response.output_text
with client.responses.stream(model="carrel", input=question) as stream:
    for _ in stream:
        pass
    found["streamed response"] = stream.get_final_response().output_text
try:
    client.chat.completions.create(model="gpt-4o", messages=messages)
except openai.NotFoundError as error:
    found["unknown model"] = error.code
try:
    openai.OpenAI(**{**address, "api_key": "crl_wrong"}).models.list()
except openai.AuthenticationError as error:
    found["wrong key"] = error.code

chat = ChatOpenAI(model="carrel", **address)
found["langchain"] = chat.invoke(question).content
found["langchain streamed"] = "".join(chunk.content for chunk in chat.stream(question))
blocks = ChatOpenAI(model="carrel", use_responses_api=True, **address).invoke(question).content
found["langchain citations"] = sum(len(block.get("annotations", [])) for block in blocks)

lite = {"model": "openai/carrel", "messages": messages, "api_base": address["base_url"], "api_key": address["api_key"]}
answer = litellm.completion(**lite, num_retries=0)
found["litellm"] = answer.choices[0].message.content
found["litellm annotations"] = len(answer.choices[0].message.annotations)
deltas = [chunk.choices[0].delta for chunk in litellm.completion(**lite, stream=True) if chunk.choices]
found["litellm streamed"] = "".join(delta.content or "" for delta in deltas)
found["litellm streamed annotations"] = sum(len(getattr(delta, "annotations", None) or []) for delta in deltas)
try:
    litellm.completion(**{**lite, "model": "openai/gpt-4o"}, num_retries=0)
except litellm.NotFoundError as error:
    found["litellm unknown model"] = type(error).__name__
print(json.dumps(found))
