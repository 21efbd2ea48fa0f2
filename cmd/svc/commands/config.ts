/** `svc config`: prints the effective settings with masked secrets. */
import process from 'node:process'
import { loadConfig } from '#config/config.ts'
import { describeConfig } from '#config/describe-config.ts'
import type { Command } from '../command.ts'
import { jsonOption } from '../print.ts'

export const command: Command = {
  builder: (yargs) => yargs.option('json', jsonOption).example('$0 config --json', 'For scripts'),
  handler: (flags) => {
    const { config, warnings } = loadConfig({ flags })
    for (const warning of warnings) process.stderr.write(`${warning}\n`)
    const settings = describeConfig(config)
    if (flags.json === true) {
      const values = Object.fromEntries(settings.map(({ env, value }) => [env, value]))
      process.stdout.write(`${JSON.stringify(values, null, 2)}\n`)
      return
    }
    const width = Math.max(...settings.map(({ env }) => env.length))
    for (const { env, value } of settings) process.stdout.write(`${env.padEnd(width)}  ${value}\n`)
  },
}
