import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DocumentsApi;
import org.openapitools.client.api.QuestionsApi;
import org.openapitools.client.model.IngestRequest;
import org.openapitools.client.model.QuestionRequest;

public class Use {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("BASE"));
    client.setBearerToken(System.getenv("KEY"));
    ObjectMapper json = new ObjectMapper();
    DocumentsApi documents = new DocumentsApi(client);
    Map<String, Object> found = new TreeMap<>();

    String text = "The boiler is serviced in May.";
    String metadata = "{\"year\": 2026}";
    documents.ingestDocument(new IngestRequest().name("Rules").text(text).metadata(Map.of("year", 2026)), null, null);
    QuestionRequest question = new QuestionRequest().query("When is the boiler serviced?");
    found.put("answer", new QuestionsApi(client).askQuestion(question, null).getAnswer());
    found.put("listed", documents.listDocuments(100, null, null, null, null, null, null, metadata, null).size());
    try {
      documents.getDocument("none");
    } catch (ApiException error) {
      found.put("code", json.readTree(error.getResponseBody()).get("code").asText());
    }
    File file = Files.writeString(Path.of("a.md"), "The roof is red.").toFile();
    var stored =
        documents.ingestFile(null, null, null, null, null, null, null, null, null, metadata, true, null, file);
    found.put("file", stored.getName());
    found.put("bytes", documents.getDocumentFile(stored.getId()).length());
    System.out.println(json.writeValueAsString(found));
  }
}
