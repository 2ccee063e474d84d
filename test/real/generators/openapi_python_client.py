import io
import json
import os

from carrel_client import AuthenticatedClient
from carrel_client.api.documents import (
    get_document,
    get_document_file,
    ingest_batch,
    ingest_document,
    ingest_file,
    list_documents,
)
from carrel_client.api.operation import get_settings
from carrel_client.api.questions import ask_question
from carrel_client.models import IngestRequest, IngestRequestMetadata, IngestRequestMultipart, QuestionRequest
from carrel_client.types import File

carrel = AuthenticatedClient(os.environ["BASE"], os.environ["KEY"], timeout=60)
metadata = json.dumps({"year": 2026})
facts = IngestRequestMetadata.from_dict({"year": 2026})
rules = IngestRequest(name="Rules", text="The boiler is serviced in May.", metadata=facts)
ingest_document.sync(client=carrel, body=rules)
answer = ask_question.sync(client=carrel, body=QuestionRequest(query="When is the boiler serviced?")).answer
listed = list_documents.sync(client=carrel, limit=100, metadata=metadata)
roof = File(io.BytesIO(b"The roof is red."), file_name="a.md")
file = ingest_file.sync(client=carrel, body=IngestRequestMultipart(file=roof, upsert=True, metadata=metadata))
size = len(get_document_file.sync(client=carrel, id=file.id).payload.read())
lines = File(io.BytesIO(b'{"name": "a", "text": "a"}\n{"name": "b"}\n'))
batch = ingest_batch.sync(client=carrel, body=lines).payload.read()
found = {
    "answer": answer,
    "listed": len(listed),
    "code": get_document.sync(client=carrel, id="none").code,
    "file": file.name,
    "bytes": size,
    "lines": len(batch.splitlines()),
    "settings": hasattr(get_settings.sync(client=carrel), "settings"),
}
print(json.dumps(found))
