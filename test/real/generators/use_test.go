package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func fileOf(t *testing.T, name string, text string) *os.File {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestUse(t *testing.T) {
	configuration := NewConfiguration()
	configuration.Servers = ServerConfigurations{{URL: os.Getenv("BASE")}}
	ctx := context.WithValue(context.Background(), ContextAccessToken, os.Getenv("KEY"))
	carrel := NewAPIClient(configuration)
	ingest := NewIngestRequest()
	ingest.SetName("Rules")
	ingest.SetText("The boiler is serviced in May.")
	ingest.SetMetadata(map[string]interface{}{"year": 2026})
	if _, _, err := carrel.DocumentsAPI.IngestDocument(ctx).IngestRequest(*ingest).Execute(); err != nil {
		t.Fatal(err)
	}
	question := NewQuestionRequest("When is the boiler serviced?")
	answer, _, err := carrel.QuestionsAPI.AskQuestion(ctx).QuestionRequest(*question).Execute()
	if err != nil {
		t.Fatal(err)
	}
	listed, _, err := carrel.DocumentsAPI.ListDocuments(ctx).Metadata(`{"year": 2026}`).Limit(100).Execute()
	if err != nil {
		t.Fatal(err)
	}
	upload := carrel.DocumentsAPI.IngestFile(ctx).File(fileOf(t, "a.md", "The roof is red.")).Upsert(true)
	file, _, err := upload.Metadata(`{"year": 2026}`).Execute()
	if err != nil {
		t.Fatal(err)
	}
	stored, _, err := carrel.DocumentsAPI.GetDocumentFile(ctx, file.Id).Execute()
	if err != nil {
		t.Fatal(err)
	}
	size, _ := stored.Stat()
	lines := fileOf(t, "batch.ndjson", "{\"name\": \"a\", \"text\": \"a\"}\n{\"name\": \"b\"}\n")
	batch, _, err := carrel.DocumentsAPI.IngestBatch(ctx).Body(lines).Execute()
	if err != nil {
		t.Fatal(err)
	}
	told, _ := io.ReadAll(batch)
	settings, _, err := carrel.OperationAPI.GetSettings(ctx).Execute()
	if err != nil {
		t.Fatal(err)
	}
	_, _, missing := carrel.DocumentsAPI.GetDocument(ctx, "none").Execute()
	code := missing.(*GenericOpenAPIError).Model().(Problem).Code
	found, _ := json.Marshal(map[string]any{
		"answer": answer.GetAnswer(), "listed": len(listed), "code": code, "file": file.Name, "bytes": size.Size(),
		"lines": bytes.Count(told, []byte("\n")), "settings": settings != nil,
	})
	fmt.Println(string(found))
}
