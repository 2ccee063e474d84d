"""
title: Carrel
description: Answers from the documents of a Carrel server, with their passages as sources. Each user may have a key of their own.
version: 0.1.0
license: Apache-2.0
"""

import json
from collections.abc import AsyncIterator

import aiohttp
from pydantic import BaseModel, Field
from starlette.responses import StreamingResponse

# Carrel sends a comment every 15 seconds while a model is silent: a connection that says nothing for longer is dead.
STREAM = aiohttp.ClientTimeout(total=None, connect=10, sock_read=60)
WHOLE = aiohttp.ClientTimeout(total=600, connect=10)
LIST = aiohttp.ClientTimeout(total=10)
SECRET = {"input": {"type": "password"}}


class Pipe:
    class Valves(BaseModel):
        url: str = Field(default="http://127.0.0.1:7373", description="Address of the Carrel server")
        key: str = Field(
            default="",
            description="A key of Carrel with the role reader. It lists the models, and asks for those who have no key of their own.",
            json_schema_extra=SECRET,
        )

    class UserValves(BaseModel):
        key: str = Field(
            default="",
            description="Your own key of Carrel: answers are then from the documents that you may see.",
            json_schema_extra=SECRET,
        )

    def __init__(self):
        # The names of the models are Carrel's: nothing is put before them.
        self.name = ""
        self.valves = self.Valves()

    async def pipes(self) -> list[dict]:
        """Everything that can be asked: all documents, and each partition."""
        async with aiohttp.ClientSession(timeout=LIST) as session:
            async with session.get(self.address("/v1/models"), headers=self.headers(self.valves.key)) as response:
                await refuse_failure(response)
                return [{"id": model["id"], "name": model["name"]} for model in (await response.json())["data"]]

    async def pipe(self, body: dict, __user__: dict | None = None) -> dict | StreamingResponse:
        own_key = getattr((__user__ or {}).get("valves"), "key", "")
        # Open WebUI puts the function's id before the model's: `carrel.carrel/house`.
        question = {**body, "model": body["model"].partition(".")[2]}
        streams = bool(body.get("stream"))
        session = aiohttp.ClientSession(timeout=STREAM if streams else WHOLE)
        try:
            response = await session.post(
                self.address("/v1/chat/completions"), json=question, headers=self.headers(own_key or self.valves.key)
            )
            await refuse_failure(response)
            if streams:
                return StreamingResponse(lines(session, response), media_type="text/event-stream")
            answer = await response.json()
        except BaseException:
            await session.close()
            raise
        await session.close()
        return answer

    def address(self, path: str) -> str:
        return self.valves.url.rstrip("/") + path

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}", "X-Carrel-Sources": "open-webui"}


async def refuse_failure(response: aiohttp.ClientResponse) -> None:
    """Raises with the reason that Carrel gives, which Open WebUI shows in the chat."""
    if response.status < 400:
        return
    try:
        reason = (await response.json(content_type=None))["error"]["message"]
    except (ValueError, KeyError, TypeError):
        reason = f"{response.url.origin()} answered with status {response.status}: is this the address of Carrel?"
    raise RuntimeError(reason)


async def lines(session: aiohttp.ClientSession, response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """What Carrel sends, line by line, as Open WebUI reads it. Leaving it early, by Stop, ends the model's work there."""
    rest = b""
    try:
        async for piece in response.content.iter_any():
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                yield line + b"\n"
    except (aiohttp.ClientError, TimeoutError):
        failure = {"error": {"message": "The connection to Carrel broke before the answer ended. Ask again."}}
        yield f"data: {json.dumps(failure)}\n\n".encode()
    finally:
        response.close()
        await session.close()
