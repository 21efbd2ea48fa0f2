/** Decides which spans are exported: the samplers of OpenTelemetry, with the names of OTEL_TRACES_SAMPLER. */
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
  /** Share of the traces that a ratio sampler takes, 0 to 1. */
  ratio: number
}>

/** Decides for a new span. @param own names the span, @param parent names its parent */
export type Sample = (own: string, parent: string | null) => boolean

const rootOf = ({ name, ratio }: SamplerOptions): Sampler => {
  if (name.endsWith('always_off')) return new AlwaysOffSampler()
  return name.endsWith('always_on') ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio)
}

/**
 * A `parentbased_…` sampler decides only for the first span of a trace, and spans below it follow
 * their parent. Other samplers decide for each span; a ratio sampler uses the id of the trace, so
 * that it agrees with the other services of the trace.
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
