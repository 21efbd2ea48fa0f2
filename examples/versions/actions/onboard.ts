import type { ActionContext } from '@svc/sdk'

/** Change this and deploy again: runs that wait go on with the text of their own deployment. */
const WELCOME = 'Welcome to plan A'

type Input = { customer: string }

/** Waits up to 30 days for the signature, without a worker. */
export const main = async (ctx: ActionContext<Input>) => {
  const { customer } = ctx.input
  await ctx.step('invite', () => ctx.log(`Invited ${customer}.`))
  const signed = await ctx.waitForEvent('signature', {
    name: 'contract.signed',
    match: customer,
    timeoutS: 30 * 86_400,
  })
  return signed === null ? 'expired' : ctx.step('welcome', () => `${WELCOME}, ${customer}.`)
}
