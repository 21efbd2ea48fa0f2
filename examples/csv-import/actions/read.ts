import type { ActionContext } from '@svc/sdk'

export type Row = { line: number; email: string; amount: number }
export type BadRow = { line: number; why: string }

const EMAIL = /^[^@\s]+@[^@\s]+$/

const readRow = (text: string, line: number): Row | BadRow => {
  const [email = '', amountText = '', ...rest] = text.split(',').map((cell) => cell.trim())
  const amount = Number(amountText)
  if (rest.length > 0) return { line, why: 'has more than two cells' }
  if (!EMAIL.test(email)) return { line, why: `${JSON.stringify(email)} is not an address` }
  if (amountText === '' || Number.isNaN(amount)) return { line, why: 'has no amount' }
  return { line, email, amount }
}

/** Takes `email,amount` lines. A bad row fails neither its action nor the import. */
export const main = ({ input }: Pick<ActionContext<{ csv: string }>, 'input'>) => {
  const good: Row[] = []
  const bad: BadRow[] = []
  for (const [at, text] of input.csv.split(/\r?\n/).entries()) {
    if (at === 0 || text.trim() === '') continue
    const row = readRow(text, at + 1)
    if ('why' in row) bad.push(row)
    else good.push(row)
  }
  return { good, bad }
}
