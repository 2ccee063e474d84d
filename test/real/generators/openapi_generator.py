import json
import os

import openapi_client as carrel

configuration = carrel.Configuration(host=os.environ["BASE"], access_token=os.environ["KEY"])
metadata = json.dumps({"year": 2026})
with carrel.ApiClient(configuration) as client:
    documents = carrel.DocumentsApi(client)
    text = "The boiler is serviced in May."
    documents.ingest_document(carrel.IngestRequest(name="Rules", text=text, metadata={"year": 2026}))
    question = carrel.QuestionRequest(query="When is the boiler serviced?")
    answer = carrel.QuestionsApi(client).ask_question(question).answer
    listed = documents.list_documents(limit=100, metadata=metadata)
    file = documents.ingest_file(file=("a.md", b"The roof is red."), upsert=True, metadata=metadata)
    size = len(documents.get_document_file(file.id))
    settings = carrel.OperationApi(client).get_settings() is not None
    try:
        documents.get_document("none")
    except carrel.ApiException as failure:
        code = failure.data.code
print(
    json.dumps(
        {"answer": answer, "listed": len(listed), "code": code, "file": file.name, "bytes": size, "settings": settings}
    )
)
