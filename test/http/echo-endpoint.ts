import { Type } from "@sinclair/typebox";
import { ApiError } from "../../src/domain/errors.ts";
import { type Endpoint, endpoint } from "../../src/http/endpoint.ts";
import type { HttpDependencies } from "../../src/http/frame.ts";
import { documentTextField, metadataField, nameField } from "../../src/http/schema/fields.ts";

const body = Type.Object({
  name: Type.Optional(nameField("Name.")),
  text: Type.Optional(documentTextField("Text.")),
  metadata: Type.Optional(metadataField()),
  async: Type.Optional(Type.Boolean()),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
});

/** Operations that answer with what they were given, and some that fail on purpose. */
export const echoEndpoints = ({ store }: HttpDependencies): Endpoint[] =>
  [
    endpoint({
      method: "POST",
      path: "/api/echo",
      operationId: "echoApiEcho",
      access: "writer",
      tag: "Test",
      summary: "Answers with its body",
      acceptsFile: true,
      longBody: true,
      body,
      responses: { 200: Type.Object({}) },
      errors: [],
      async handle({ body, file }) {
        const bytes = file === null ? null : await store.blobs.read(file.hash);
        if (body.name === "fail") throw new ApiError("no_text", "There is no text in it.");
        if (body.name === "keep") file?.take();
        return {
          body,
          file: file && { name: file.name, mimeType: file.mimeType, hash: file.hash, bytes: file.bytes },
          stored: bytes?.byteLength ?? null,
        };
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/failing",
      operationId: "echoApiFailing",
      access: "open",
      tag: "Test",
      summary: "Fails in a way nobody foresaw",
      responses: { 200: Type.Object({}) },
      errors: [],
      handle() {
        throw new Error("crl_secret in /etc/passwd");
      },
    }),
    endpoint({
      method: "GET",
      path: "/api/waiting",
      operationId: "echoApiWaiting",
      access: "open",
      tag: "Test",
      summary: "Answers when nobody waits for it any more",
      responses: { 200: Type.Object({}) },
      errors: [],
      handle: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
    }),
    endpoint({
      method: "GET",
      path: "/api/visitor",
      operationId: "echoApiVisitor",
      access: "visitor",
      tag: "Test",
      summary: "Who calls",
      responses: { 200: Type.Object({}) },
      errors: [],
      handle: ({ principal, clientAddress, baseUrl }) => ({
        userId: principal?.userId ?? null,
        clientAddress,
        baseUrl,
      }),
    }),
    endpoint({
      method: "GET",
      path: "/api/endless",
      operationId: "echoApiEndless",
      access: "open",
      tag: "Test",
      summary: "A stream that ends when nobody wants it any more",
      responses: { 200: { mediaType: "text/event-stream", description: "Events." } },
      errors: [],
      handle: ({ signal }) =>
        new Response(
          new ReadableStream<Uint8Array>({
            start(controller) {
              controller.enqueue(new TextEncoder().encode("data: 1\n\n"));
              signal.addEventListener("abort", () => controller.close(), { once: true });
            },
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
    }),
  ] as Endpoint[];
