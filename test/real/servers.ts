/** The real servers that a run is against; `tools/test-real.mjs` sets these. */
export const realServers = {
  /** Ollama, such as http://127.0.0.1:11434 */
  ollama: process.env.CARREL_TEST_OLLAMA ?? null,
  /** llama-cpp-python, without `/v1` */
  openai: process.env.CARREL_TEST_OPENAI ?? null,
  unstructured: process.env.CARREL_TEST_UNSTRUCTURED ?? null,
  /** An OpenTelemetry collector that takes OTLP over HTTP. */
  collector: process.env.CARREL_TEST_COLLECTOR ?? null,
  /** Not a server but a program: its path. */
  tesseract: process.env.CARREL_TEST_TESSERACT ?? null,
  /** A folder of MCP clients. */
  mcpClients: process.env.CARREL_TEST_MCP_CLIENTS ?? null,
  /** A Python that has OpenAI's clients: its path. */
  pythonClients: process.env.CARREL_TEST_PYTHON_CLIENTS ?? null,
  /** A program: its path. */
  openWebUi: process.env.CARREL_TEST_OPEN_WEBUI ?? null,
  /** A folder of VS Code, as served to a browser. */
  vsCode: process.env.CARREL_TEST_VS_CODE ?? null,
  /** A folder of generators of clients. */
  generators: process.env.CARREL_TEST_GENERATORS ?? null,
};

if (Object.values(realServers).every((address) => address === null))
  throw new Error(
    "set CARREL_TEST_OLLAMA, CARREL_TEST_OPENAI, CARREL_TEST_UNSTRUCTURED, CARREL_TEST_COLLECTOR, CARREL_TEST_TESSERACT, CARREL_TEST_MCP_CLIENTS, CARREL_TEST_PYTHON_CLIENTS, CARREL_TEST_OPEN_WEBUI, CARREL_TEST_VS_CODE or CARREL_TEST_GENERATORS, or run npm run test:real",
  );
