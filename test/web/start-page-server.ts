import { startTestServer, type TestServer } from "../start-server.ts";

/**
 * `startTestServer` with its pages made, which takes a while where they are made of the sources: the first request for one
 * would wait for that, and is given up on after some time of silence.
 */
export const startPageServer = async (...given: Parameters<typeof startTestServer>): Promise<TestServer> => {
  const server = await startTestServer(...given);
  await server.program.deps.pageFiles();
  return server;
};
