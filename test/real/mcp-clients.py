"""What Python's MCP clients do with Carrel: mcp (both eras, stdio, OAuth) and fastmcp. Prints JSON, a value for each."""

import asyncio
import json
import os
import sys
import urllib.parse
import urllib.request

import fastmcp
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

url, key, document, binary = sys.argv[1:5]
found = {}


async def ask(client):
    tools = [tool.name for tool in (await client.list_tools()).tools]
    result = await client.call_tool("search", {"query": "When is the boiler serviced?"})
    wrong = await client.call_tool("search", {"query": ""})
    return {
        "tools": tools,
        "title": result.structured_content["results"][0]["title"],
        "same": json.loads(result.content[0].text) == result.structured_content,
        "wrong": [wrong.is_error, wrong.content[0].text],
    }


def with_key():
    return httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=120)


class Storage:
    def __init__(self):
        self.tokens = None
        self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def oauth():
    sent_to = []

    async def redirect(address):
        sent_to.append(address)

    async def callback():
        # The user's decision, as the page sends it.
        body = {"query": urllib.parse.urlsplit(sent_to[-1]).query, "isAllowed": True}
        request = urllib.request.Request(
            f"{url}/oauth/authorize",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as response:
            answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(json.load(response)["redirect"]).query))
        return AuthorizationCodeResult(code=answer["code"], state=answer["state"], iss=answer["iss"])

    metadata = OAuthClientMetadata(client_name="mcp-py", redirect_uris=["http://127.0.0.1:9/callback"])
    provider = OAuthClientProvider(f"{url}/mcp", metadata, Storage(), redirect, callback)
    async with httpx2.AsyncClient(auth=provider, timeout=60) as http:
        async with Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client:
            return await ask(client)


async def main():
    for mode in ("auto", "legacy"):
        async with with_key() as http:
            async with Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client:
                found[mode] = await ask(client)
                if mode == "legacy":
                    characters, next_id, parts = 0, document, 0
                    while next_id is not None:
                        part = (await client.call_tool("fetch", {"id": next_id})).structured_content
                        characters += len(part["text"].encode("utf-16-le")) // 2
                        next_id = part["metadata"]["nextId"]
                        parts += 1
                    found["long"] = {"characters": characters, "parts": parts}
    server = StdioServerParameters(command=binary, args=["mcp", "--server", url], env={**os.environ, "CARREL_KEY": key})
    async with Client(server) as client:
        found["stdio"] = await ask(client)
    async with fastmcp.Client(f"{url}/mcp", auth=key) as client:
        result = await client.call_tool("search", {"query": "When is the boiler serviced?"})
        found["fastmcp"] = {
            "tools": [tool.name for tool in await client.list_tools()],
            "title": result.structured_content["results"][0]["title"],
        }
    found["oauth"] = await oauth()
    print(json.dumps(found))


asyncio.run(main())
