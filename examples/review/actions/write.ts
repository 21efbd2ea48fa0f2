import type { ActionContext } from '@svc/sdk'
import { type Shown, stateKey } from '../lib/shown.ts'

type Context = ActionContext<{ topic: string }>

/** A real app asks a model. */
const write = async (topic: string): Promise<string> => `All about ${topic}.`

export const main = async (ctx: Context) => {
  // the token authorizes the decision
  const token = ctx.uuid()
  const draft = await ctx.step('write', () => write(ctx.input.topic))
  const show = (stage: Shown['stage']) =>
    ctx.step(`show-${stage}`, () => ctx.state.set(stateKey(token), { stage, draft }))

  await show('open')
  await ctx.step('ask', () => ctx.log(`Decide at /fn/default/${ctx.job.app}/decide?token=${token}`))
  const decision = await ctx.waitForEvent<{ answer: string }>('decision', {
    name: 'review.decided',
    match: token,
    timeoutS: 86_400,
  })
  const stage =
    decision === null ? 'expired' : decision.data.answer === 'publish' ? 'published' : 'rejected'
  await show(stage)
  return { stage, draft }
}
