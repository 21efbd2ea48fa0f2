import { type ActionContext, createApp } from '@svc/sdk'
import { greeting, type Language } from '../lib/greeting.ts'

type Input = { name: string; language?: Language }

const app = createApp()

// Middleware sees every input before main does.
app.use((ctx, next) => {
  ctx.log(`attempt ${ctx.job.attempt} of ${ctx.job.action}`)
  return next()
})

export const main = app.main(async (ctx: ActionContext<Input>) => {
  const { name, language } = ctx.input
  // State is kept per app, between jobs.
  const count = Number((await ctx.state.get('greeted')) ?? 0) + 1
  await ctx.state.set('greeted', count)
  return { greeting: greeting(name.trim(), language), count }
})
