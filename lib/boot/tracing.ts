import type { NodeSDK } from "@opentelemetry/sdk-node";

/** A request that has ended. */
export type Span = {
  method: string;
  operation: string;
  status: number;
  /** When it began, in milliseconds since 1970, and how long it took. */
  at: number;
  ms: number;
  /** The span of the caller, from its `traceparent`. */
  parent: { traceId: string; spanId: string; traceFlags: number } | undefined;
  requestId: string | undefined;
};

const shared = globalThis as { guildhallSpans?: (span: Span) => void };

/** Takes the spans of requests; undefined unless traces are exported. */
export function spans(): ((span: Span) => void) | undefined {
  return shared.guildhallSpans;
}

/**
 * Exports a span for each request by OpenTelemetry, where `OTEL_EXPORTER_OTLP_ENDPOINT` is set; its other variables are those of the
 * OpenTelemetry SDK. Its packages are loaded only then.
 * @returns what stops it, after the last spans have been sent
 */
export async function startTracing(endpoint: string | undefined): Promise<{ stop(): Promise<void> }> {
  if (!endpoint) return { stop: async () => undefined };
  const [{ NodeSDK }, api] = await Promise.all([import("@opentelemetry/sdk-node"), import("@opentelemetry/api")]);
  process.env.OTEL_METRICS_EXPORTER ??= "none";
  process.env.OTEL_LOGS_EXPORTER ??= "none";
  const sdk: NodeSDK = new NodeSDK({
    serviceName: process.env.OTEL_SERVICE_NAME || "guildhall",
    instrumentations: [],
  });
  sdk.start();
  const tracer = api.trace.getTracer("guildhall");
  shared.guildhallSpans = ({ method, operation, status, at, ms, parent, requestId }) => {
    const context = parent
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...parent, isRemote: true })
      : api.ROOT_CONTEXT;
    const span = tracer.startSpan(
      `${method} ${operation}`,
      {
        kind: api.SpanKind.SERVER,
        startTime: at,
        attributes: {
          "http.request.method": method,
          "http.response.status_code": status,
          "guildhall.operation": operation,
          ...(requestId ? { "guildhall.request_id": requestId } : {}),
        },
      },
      context,
    );
    if (status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end(at + ms);
  };
  return {
    async stop() {
      delete shared.guildhallSpans;
      await sdk.shutdown().catch(() => undefined);
    },
  };
}
