import type { ActionContext } from '@svc/sdk'

type Input = { order: string; email: string }

/** A bad address is final; `svc jobs replay` starts the job again when it is repaired. */
export const main = ({ input, variables }: Pick<ActionContext<Input>, 'input' | 'variables'>) => {
  if (!input.email.includes('@')) {
    throw Object.assign(new Error(`"${input.email}" is not an address.`), { name: 'BadAddress' })
  }
  if (variables.MAIL === undefined) throw new Error('The variable MAIL is not set.')
  return { order: input.order, sentBy: variables.MAIL }
}
