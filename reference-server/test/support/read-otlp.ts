/** A span, as a receiver of OTLP gets it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Attributes;
  /** The attributes of the process. */
  readonly resource: Attributes;
}

type Attributes = Readonly<Record<string, string | number>>;

interface JsonAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string | number };
}

/** An `ExportTraceServiceRequest` as JSON, with the fields that tests look at. */
export interface JsonRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly JsonAttribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, "attributes" | "resource" | "parentSpanId"> & {
        readonly parentSpanId?: string;
        readonly attributes: readonly JsonAttribute[];
      })[];
    }[];
  }[];
}

export function readJsonSpans(request: JsonRequest): ReceivedSpan[] {
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ parentSpanId = "", attributes, ...span }) => ({
        ...span,
        parentSpanId,
        attributes: toAttributes(attributes),
        resource: toAttributes(resource.attributes),
      })),
    ),
  );
}

function toAttributes(list: readonly JsonAttribute[]): Attributes {
  return Object.fromEntries(
    list.map(({ key, value: { stringValue, intValue } }) => [key, stringValue ?? Number(intValue)]),
  );
}

/** The same request as protobuf. The numbers are those of the fields in `trace.proto`. */
export function readProtobufSpans(request: Uint8Array): ReceivedSpan[] {
  return messages(request, 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1).flatMap((each) => messages(each, 1));
    const spans = messages(resourceSpans, 2).flatMap((scopeSpans) => messages(scopeSpans, 2));
    return spans.map((span) => ({
      traceId: hexOf(span, 1),
      spanId: hexOf(span, 2),
      parentSpanId: hexOf(span, 4),
      name: textOf(span, 5),
      attributes: readAttributes(messages(span, 9)),
      resource: readAttributes(resource),
    }));
  });
}

function readAttributes(pairs: readonly Uint8Array[]): Attributes {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value = new Uint8Array()] = messages(pair, 2);
      const [text] = messages(value, 1);
      const number = fieldsOf(value).find(({ field }) => field === 3)?.value;
      return [textOf(pair, 1), text === undefined ? Number(number) : new TextDecoder().decode(text)];
    }),
  );
}

function messages(message: Uint8Array, field: number): Uint8Array[] {
  return fieldsOf(message).flatMap((each) =>
    each.field === field && each.value instanceof Uint8Array ? [each.value] : [],
  );
}

const hexOf = (message: Uint8Array, field: number): string =>
  Buffer.from(messages(message, field)[0] ?? []).toString("hex");

const textOf = (message: Uint8Array, field: number): string =>
  new TextDecoder().decode(messages(message, field)[0]);

interface Field {
  readonly field: number;
  readonly value: bigint | Uint8Array;
}

/** The fields of a message in the wire format of protobuf. */
function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const readBytes = (length: number): Uint8Array => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = Number(readVarint());
    const field = tag >> 3;
    const wireType = tag & 7;
    if (wireType === 0) fields.push({ field, value: readVarint() });
    else if (wireType === 2) fields.push({ field, value: readBytes(Number(readVarint())) });
    else fields.push({ field, value: readBytes(wireType === 1 ? 8 : 4) });
  }
  return fields;
}
