"""An Unstructured server on the real engine (PyPI unstructured), with the wire format of the vendor's own server.

usage: python unstructured_server.py PORT   (run in a folder that holds the rule-only en_core_web_sm of plain_language_model.py)
"""
import gzip
import io
import json
import os
import sys

import uvicorn
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from pypdf import PdfReader
from pypdf.errors import FileNotDecryptedError, PdfReadError
from starlette.concurrency import run_in_threadpool
from unstructured.file_utils.filetype import detect_filetype
from unstructured.file_utils.model import FileType
from unstructured.partition.auto import partition
from unstructured.staging.base import convert_to_isd

app = FastAPI()
KEY = os.environ.get("UNSTRUCTURED_API_KEY")
DROP = ("last_modified", "file_directory", "detection_class_prob")


def bad(loc, msg, value, kind="literal_error"):
    raise HTTPException(422, [{"type": kind, "loc": ["body", loc], "msg": msg, "input": value}])


@app.exception_handler(Exception)
async def crash(_request, error):
    return JSONResponse({"detail": str(error)}, 500)


@app.get("/healthcheck")
def health():
    return {"healthcheck": "HEALTHCHECK STATUS: EVERYTHING OK!"}


def parse(name, sent_type, data, p):
    kind = FileType.from_mime_type(p.get("content_type") or (sent_type or "").split(";")[0])
    if not kind or kind == FileType.UNK:
        stream = io.BytesIO(data)
        stream.name = name
        kind = detect_filetype(file=stream)
    if not kind.is_partitionable:
        raise HTTPException(400, f"File type {kind.mime_type} is not supported.")
    if kind == FileType.PDF:
        try:
            reader = PdfReader(io.BytesIO(data))
            reader.metadata, list(reader.pages)
        except FileNotDecryptedError:
            raise HTTPException(422, "File is encrypted. Please decrypt it with password.") from None
        except PdfReadError as e:
            raise HTTPException(422, f"File does not appear to be a valid PDF. Error: {e}") from None
    coords = str(p.get("coordinates", "")).lower() == "true"
    try:
        elements = partition(
            file=io.BytesIO(data), metadata_filename=name, content_type=kind.mime_type,
            strategy=p["strategy"], encoding=p.get("encoding") or "utf-8", languages=p.get("languages") or None,
            chunking_strategy=p.get("chunking_strategy") or None, max_characters=int(p.get("max_characters", 500)),
            overlap=int(p.get("overlap", 0)), include_page_breaks=str(p.get("include_page_breaks", "")).lower() == "true",
            starting_page_number=int(p.get("starting_page_number", 1)))
    except ValueError as e:
        if "fast strategy is not available for image files" in str(e):
            raise HTTPException(400, "The fast strategy is not available for image files") from None
        if "not a ZIP archive (so not a DOCX file)" in str(e):
            raise HTTPException(422, "File is not a valid docx") from None
        raise
    for e in elements:
        e.metadata.filename = os.path.basename(name)
        for field in DROP + (() if coords else ("coordinates",)):
            setattr(e.metadata, field, None)
    return convert_to_isd(elements)


@app.post("/general/v0/general")
async def general(request: Request):
    if KEY and request.headers.get("unstructured-api-key") != KEY:
        raise HTTPException(401, f"API key {request.headers.get('unstructured-api-key')} is invalid")
    form = await request.form()
    p, files = {}, []
    for key, value in form.multi_items():
        key = key.removesuffix("[]")
        if key == "files" and hasattr(value, "filename"):
            files.append(value)
        elif key == "languages":
            p.setdefault(key, []).extend(json.loads(value) if value.startswith("[") else value.replace("+", ",").split(","))
        else:
            p[key] = value
    if not files:
        bad("files", "Field required", None, "missing")
    p.setdefault("strategy", "auto")
    if p["strategy"] not in ("fast", "hi_res", "auto", "ocr_only"):
        bad("strategy", "Input should be 'fast', 'hi_res', 'auto' or 'ocr_only'", p["strategy"])
    if p.get("chunking_strategy") not in (None, "", "by_title"):
        bad("chunking_strategy", "Input should be 'by_title'", p["chunking_strategy"])
    out = []
    for f in files:
        data, name, kind = await f.read(), f.filename or "", f.content_type
        if kind == "application/gzip" or name.endswith(".gz"):
            data, name, kind = gzip.decompress(data), name.removesuffix(".gz"), p.get("gz_uncompressed_content_type")
        out.append(await run_in_threadpool(parse, name, kind, data, p))
    return out[0] if len(out) == 1 else out


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
