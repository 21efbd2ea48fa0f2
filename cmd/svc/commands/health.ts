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
      .example('$0 health --port 8080', 'Exits with 0 if the node is healthy, else with 1'),
  handler: async (flags) => {
    const { config } = loadConfig({ flags })
    const { isOk, found, sentence } = await askHealth(config)
    printAnswer(flags, found, () => printLine(sentence))
    if (!isOk) process.exitCode = EXIT.failed
  },
}
