import { gunzipSync } from "node:zlib";

/** A span as it came over the wire. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  durationMs: number;
  /** 0 unset, 1 ok, 2 error. */
  status: number;
  attributes: Record<string, string | number | boolean | string[]>;
  resource: ReceivedSpan["attributes"];
}

/** Fields of a protobuf message by number; a number may come several times. */
type Fields = Map<number, (Uint8Array | bigint)[]>;

const readFields = (bytes: Uint8Array): Fields => {
  const fields: Fields = new Map();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    let value: Uint8Array | bigint;
    if (wire === 0) value = varint();
    else if (wire === 1) {
      value = view.getBigUint64(at, true);
      at += 8;
    } else if (wire === 5) {
      value = BigInt(view.getUint32(at, true));
      at += 4;
    } else {
      const length = Number(varint());
      value = bytes.subarray(at, at + length);
      at += length;
    }
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
};

const messages = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((value) => readFields(value as Uint8Array));
const bytesOf = (fields: Fields, number: number): Uint8Array =>
  (fields.get(number)?.[0] as Uint8Array | undefined) ?? new Uint8Array();
const numberOf = (fields: Fields, number: number): bigint => (fields.get(number)?.[0] as bigint | undefined) ?? 0n;
const textOf = (fields: Fields, number: number): string => new TextDecoder().decode(bytesOf(fields, number));
const hexOf = (fields: Fields, number: number): string => Buffer.from(bytesOf(fields, number)).toString("hex");

/** Attributes are pairs of a key and one of: 1 text, 2 boolean, 3 integer, 4 floating point, 5 a list (here: of texts). */
const attributesOf = (fields: Fields, number: number): ReceivedSpan["attributes"] =>
  Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value = new Map()] = messages(pair, 2);
      if (value.has(1)) return [textOf(pair, 1), textOf(value, 1)];
      if (value.has(2)) return [textOf(pair, 1), numberOf(value, 2) === 1n];
      if (value.has(3)) return [textOf(pair, 1), Number(BigInt.asIntN(64, numberOf(value, 3)))];
      if (value.has(5))
        return [textOf(pair, 1), messages(value, 5).flatMap((list) => messages(list, 1).map((one) => textOf(one, 1)))];
      return [textOf(pair, 1), Buffer.from(new BigUint64Array([numberOf(value, 4)]).buffer).readDoubleLE(0)];
    }),
  );

/** Field numbers as opentelemetry/proto/trace/v1/trace.proto has them. */
const spansIn = (body: Uint8Array): ReceivedSpan[] =>
  messages(readFields(body), 1).flatMap((ofResource) => {
    const [described = new Map()] = messages(ofResource, 1);
    const resource = attributesOf(described, 1);
    return messages(ofResource, 2).flatMap((ofScope) =>
      messages(ofScope, 2).map((span) => ({
        traceId: hexOf(span, 1),
        spanId: hexOf(span, 2),
        parentId: hexOf(span, 4),
        name: textOf(span, 5),
        kind: Number(numberOf(span, 6)),
        durationMs: Number(numberOf(span, 8) - numberOf(span, 7)) / 1e6,
        status: Number(numberOf(messages(span, 15)[0] ?? new Map(), 3)),
        attributes: attributesOf(span, 9),
        resource,
      })),
    );
  });

/** A collector that keeps what it is sent. */
export const startOtlpReceiver = () => {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: Headers; body: string }[] = [];
  let status = 200;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const sent = await request.bytes();
      const body = request.headers.get("content-encoding") === "gzip" ? gunzipSync(sent) : sent;
      const { headers } = request;
      requests.push({ path: new URL(request.url).pathname, headers, body: Buffer.from(body).toString("latin1") });
      if (status === 200) spans.push(...spansIn(new Uint8Array(body)));
      return new Response(null, { status });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    requests,
    answerWith(given: number) {
      status = given;
    },
    named: (name: string): ReceivedSpan[] => spans.filter((span) => span.name === name),
    stop: () => server.stop(true),
  };
};
