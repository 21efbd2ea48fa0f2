/** Prompts the person at a terminal. */
import process from 'node:process'
import { createInterface } from 'node:readline/promises'

/** Whether a person can answer. */
export const isAtTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY

/** @returns whether the person answered yes; false without a terminal */
export const confirm = async (question: string): Promise<boolean> => {
  if (!isAtTerminal()) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}
