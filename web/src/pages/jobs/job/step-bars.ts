/** Computes the bar of each step, in percent of the whole time. Pure. */

type Timed = Readonly<{ started_at: string; completed_at: string | null }>

export type Span = Readonly<{ from: number; to: number }>

/** From the first start to the last end, or to now while a step is open. Milliseconds since 1970. */
export const spanOf = (steps: readonly Timed[], now: number): Span => ({
  from: Math.min(...steps.map(({ started_at }) => Date.parse(started_at))),
  to: Math.max(
    ...steps.map(({ completed_at }) => (completed_at === null ? now : Date.parse(completed_at))),
  ),
})

/** The shortest step must be visible too. */
const MIN_PERCENT = 0.5

export const toBars = <Step extends Timed>(steps: readonly Step[], { from, to }: Span) => {
  const whole = Math.max(to - from, 1)
  return steps.map((step) => {
    const start = Date.parse(step.started_at)
    const end = step.completed_at === null ? to : Date.parse(step.completed_at)
    const left = Math.min((100 * (start - from)) / whole, 100 - MIN_PERCENT)
    const width = Math.min(Math.max((100 * (end - start)) / whole, MIN_PERCENT), 100 - left)
    return { step, left, width }
  })
}
