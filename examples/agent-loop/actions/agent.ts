import type { ActionContext, Json } from '@svc/sdk'

type Input = { question: string }
type Message = { role: 'user' | 'assistant' | 'tool'; content: string }
type Reply =
  | { kind: 'answer'; text: string }
  | { kind: 'tool'; name: string; arguments: { [key: string]: Json } }

const MAX_TURNS = 10
/** By its name svc tries no further. With the package at hand it is `new NonRetryableError(message)`. */
const final = (message: string): Error =>
  Object.assign(new Error(message), { name: 'NonRetryableError' })

/** The actions of this app that the model may call. */
const TOOLS = ['weather']

const askModel = async (
  { variables, fetch }: Pick<ActionContext<Input>, 'variables' | 'fetch'>,
  messages: readonly Message[],
): Promise<Reply> => {
  const answer = await fetch(variables.MODEL_URL ?? 'https://api.example.com/v1/chat', {
    method: 'POST',
    headers: { authorization: `Bearer ${variables.MODEL_KEY ?? ''}` },
    body: JSON.stringify({ messages, tools: TOOLS }),
  })
  if (answer.status === 401) throw final('The model refuses the key.')
  if (!answer.ok) throw new Error(`The model answered ${answer.status}.`)
  return (await answer.json()) as Reply
}

/** A crash costs no finished call: what the model and the tools gave is read back. */
export const main = async (ctx: ActionContext<Input>) => {
  const messages: Message[] = [{ role: 'user', content: ctx.input.question }]
  for (let turn = 1; turn <= MAX_TURNS; turn += 1) {
    const reply = await ctx.step(`model-${turn}`, () => askModel(ctx, messages), {
      retry: { maxAttempts: 4, delayMs: 500, backoffFactor: 3 },
    })
    if (reply.kind === 'answer') return { answer: reply.text, turns: turn }
    if (!TOOLS.includes(reply.name)) throw final(`There is no tool ${reply.name}.`)
    const found = await ctx.call(`tool-${turn}`, reply.name, reply.arguments)
    messages.push(
      { role: 'assistant', content: JSON.stringify(reply) },
      { role: 'tool', content: JSON.stringify(found) },
    )
    await ctx.progress(turn / MAX_TURNS, `called ${reply.name}`)
  }
  throw final(`No answer after ${MAX_TURNS} turns.`)
}
