/** Shows what a deployment would change before it is made. A removal needs a confirmation. */
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { z } from 'zod'
import { AppError } from '#core/error.ts'
import { coloured, printLine } from './print.ts'

const part = z.looseObject({ kind: z.string(), key: z.string() })

export const deploymentChanges = z.looseObject({
  added: z.array(part),
  changed: z.array(part),
  removed: z.array(part),
})
export type DeploymentChanges = z.infer<typeof deploymentChanges>

const name = ({ kind, key }: z.infer<typeof part>): string => `${kind} ${key}`

export const printChanges = ({ added, changed, removed }: DeploymentChanges): void => {
  for (const each of added) printLine(`${coloured('green', '+')} ${name(each)}  added`)
  for (const each of changed) printLine(`${coloured('yellow', '~')} ${name(each)}  changed`)
  for (const each of removed) printLine(`${coloured('red', '-')} ${name(each)}  removed`)
}

const ask = async (question: string): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}

/** @throws {AppError} conflict `would_remove`: the person said no, or there is no terminal to ask at */
export const confirmRemoval = async ({ removed }: DeploymentChanges): Promise<void> => {
  if (removed.length === 0) return
  const what = removed.map(name).join(', ')
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY
  if (isTerminal && (await ask(`This removes ${what}. Go on? [y/N] `))) return
  const next = isTerminal ? '' : ' Run it with --yes to go on.'
  throw new AppError('conflict', `This removes ${what}. Nothing was deployed.${next}`, {
    code: 'would_remove',
  })
}
