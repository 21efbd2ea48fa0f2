/** What a line chart shows. */
import type { ReactNode } from 'react'

export type Tone = 'accent' | 'warn' | 'bad' | 'muted'

type Line = Readonly<{
  name: string
  tone: Tone
  /** One value for each time; null where there is none. */
  values: readonly (number | null)[]
}>

export type LineChartProps = Readonly<{
  title: string
  /** A sentence about what the chart shows. */
  summary: string
  /** Milliseconds since 1970, ascending. */
  times: readonly number[]
  lines: readonly Line[]
  format: (value: number) => string
  /** Draws bars from zero, later lines in front of earlier ones. @default false */
  isBars?: boolean
  /** Called for a clicked time, with the line whose bar was hit, or null if none was. */
  onPick?: (index: number, line: number | null) => void
  /** What the table shows for a time, usually a link to what `onPick` opens. @default its text */
  renderTime?: (index: number, text: string) => ReactNode
}>
