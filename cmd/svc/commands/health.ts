/** `svc health`: queries whether the node on this machine can work, for containers and supervisors. */
import process from 'node:process'
import { loadConfig } from '#config/config.ts'
import { askHealth } from '#node/doctor/ask-health.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit.ts'
import { jsonOption, printAnswer, printLine } from '../print.ts'

export const command: Command = {
  builder: (yargs) =>
    yargs
      .option('json', jsonOption)
      .example('$0 health --port 8080', 'Exit code 0 when it can work, 1 when not'),
  handler: async (flags) => {
    const { config } = loadConfig({ flags })
    const { isOk, found, sentence } = await askHealth(config)
    printAnswer(flags, found, () => printLine(sentence))
    if (!isOk) process.exitCode = EXIT.failed
  },
}
