/** Prints the warnings of a deploy or of a bundle on stderr. */
import process from 'node:process'
import type { ErrorDetail } from '#core/error.ts'
import { showFaults } from '#project/function-folder.ts'

export const printWarnings = (warnings: readonly ErrorDetail[]): void => {
  // actions that share a package share its warnings
  const lines = new Set(warnings.map((warning) => `Warning: ${showFaults([warning])}\n`))
  for (const line of lines) process.stderr.write(line)
}
