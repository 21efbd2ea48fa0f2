import type { ActionContext } from '@svc/sdk'

type Input = { customer: string; path: string }

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name })

/** svc waits its turn; a 429 all the same is tried again, a 404 is final. */
export const main = async ({ input, variables, fetch }: ActionContext<Input>) => {
  const base = variables.API_URL ?? 'https://api.example.com'
  const answer = await fetch(`${base}${input.path}`, { headers: { 'x-customer': input.customer } })
  if (answer.status === 404) throw named('NotFound', `${input.path} is not there.`)
  if (!answer.ok) throw named('ApiError', `The API answered ${answer.status}.`)
  return { status: answer.status, body: await answer.json() }
}
