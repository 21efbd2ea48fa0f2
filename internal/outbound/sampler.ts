/** Which spans are exported: the samplers of OpenTelemetry, under the names of OTEL_TRACES_SAMPLER. */
import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { SamplerName } from '#core/trace/sampler-name.ts'
import { idsOf } from '#core/trace/traceparent.ts'

export type SamplerOptions = Readonly<{
  name: SamplerName
  /** Share of the traces that a sampler by ratio takes, 0 to 1. */
  ratio: number
}>

/** Decides for a new span. @param own names the span, @param parent names the one above it */
export type Sample = (own: string, parent: string | null) => boolean

const rootOf = ({ name, ratio }: SamplerOptions): Sampler => {
  if (name.endsWith('always_off')) return new AlwaysOffSampler()
  return name.endsWith('always_on') ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio)
}

/**
 * A sampler that is `parentbased_…` decides for the first span of a trace only, and the spans below follow the one above. Any
 * other one decides for each span; by ratio it does so by the id of the trace, as the other services of the trace do.
 */
export const createSampler = (options: SamplerOptions): Sample => {
  const root = rootOf(options)
  const followsParent = options.name.startsWith('parentbased_')
  return (own, parent) => {
    if (followsParent && parent !== null) return idsOf(parent).isSampled
    const { trace } = idsOf(own)
    const { decision } = root.shouldSample(ROOT_CONTEXT, trace, '', SpanKind.INTERNAL, {}, [])
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  }
}
