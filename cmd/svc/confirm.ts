/** Questions to the person at a terminal. */
import process from 'node:process'
import { createInterface } from 'node:readline/promises'

/** Whether there is a person who can answer. */
export const isAtTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY

/** @returns whether the person said yes; false where there is no terminal */
export const confirm = async (question: string): Promise<boolean> => {
  if (!isAtTerminal()) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}
