import type { z } from 'zod'

type Target = Readonly<{ action?: string | undefined; flow?: string | undefined }>

/** Refuses a webhook, event target or schedule that names no target, or both an action and a flow. */
export const checkOneTarget = ({ action, flow }: Target, context: z.RefinementCtx): void => {
  if ((action === undefined) !== (flow === undefined)) return
  context.addIssue({ code: 'custom', message: 'must name what it starts: either action or flow' })
}
