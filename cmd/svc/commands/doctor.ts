/**
 * `svc doctor`: checks what svc needs on this machine and prints a remedy for each fault. It changes nothing but the unpacked
 * runtime in the cache folder. The exit code is 1 if something is broken.
 */
import process from 'node:process'
import { loadConfig } from '#config/config.ts'
import { examine, type NamedCheck } from '#node/doctor/examine.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { jsonOption } from '../print.ts'

const toText = (checks: readonly NamedCheck[]): string => {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const indent = ' '.repeat(width + 4)
  const lines = checks.flatMap(({ name, ok, found, remedy, notes = [] }) => [
    `${ok ? '✓' : '✗'} ${name.padEnd(width)}  ${found}`,
    ...notes.map((note) => `${indent}${note}`),
    ...(remedy === undefined ? [] : [`${indent}Remedy: ${remedy}`]),
  ])
  return `${lines.join('\n')}\n`
}

export const command: Command = {
  builder: (yargs) =>
    yargs
      .option('json', jsonOption)
      .example('$0 doctor --database-url http://db:8080', 'Check with the settings of a node'),
  handler: async (flags) => {
    const { config, warnings } = loadConfig({ flags })
    for (const warning of warnings) process.stderr.write(`${warning}\n`)
    const checks = await examine(config)
    const ok = checks.every((check) => check.ok)
    process.stdout.write(
      flags.json === true ? `${JSON.stringify({ ok, checks }, null, 2)}\n` : toText(checks),
    )
    if (!ok) process.exitCode = EXIT.failed
  },
}
