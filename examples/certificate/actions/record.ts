import type { ActionContext } from '@svc/sdk'

type Certificate = { number: string; owners: readonly { name: string; share: string | null }[] }

/** Here your own system takes over: a database, a message, a contract. */
export const main = ({ input }: Pick<ActionContext<Certificate>, 'input'>) => ({
  number: input.number,
  owners: input.owners.map(({ name, share }) => (share === null ? name : `${name} (${share})`)),
})
