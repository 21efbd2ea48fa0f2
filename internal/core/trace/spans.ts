/** Takes spans of requests, attempts, steps and flow runs, and sends them to an exporter or nowhere (the default). */

export type Span = Readonly<{
  name: string
  kind: 'server' | 'consumer' | 'internal'
  /** Identifies the span itself (core/trace/traceparent.ts). */
  traceparent: string
  /** Identifies the span that it belongs to; null for the first span of its trace. */
  parent: string | null
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
  /** By the semantic conventions of OpenTelemetry; never an input, a result or a credential. */
  attributes: Readonly<Record<string, string | number>>
  isError: boolean
}>

export interface Spans {
  /** Whether spans are exported; no caller makes spans while it is false. */
  readonly isOn: boolean
  /** Returns a new span under `parent`, or of a new trace. */
  child: (parent: string | null) => string
  /** Never throws and never waits. */
  record: (span: Span) => void
  /** Sends the spans that are left. */
  stop: () => Promise<void>
}

export const NO_SPANS: Spans = {
  isOn: false,
  child: (parent) => {
    if (parent === null) throw new Error('Without an exporter there are no spans.')
    return parent
  },
  record: () => undefined,
  stop: async () => undefined,
}
