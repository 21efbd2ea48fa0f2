/** `svc status`: shows whether the server works, its queue and its workers. */
import { createClient } from '#cli-client/client.ts'
import { addUsage, type Command } from '../command.ts'
import { CommandFailed } from '../exit.ts'
import { readNodeStatus } from '../node-status.ts'
import { coloured, jsonOption, printAnswer, printLine } from '../print.ts'

const counted = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`}`

export const command: Command = {
  builder: (yargs) =>
    addUsage(yargs, { flags: { json: jsonOption }, examples: [['$0 status', '']] }),
  handler: async (flags) => {
    const status = await readNodeStatus(createClient())
    const { endpoint, workspace, health, summary, workers } = status
    const isOk = health.status === 'ok'
    printAnswer(flags, status, () => {
      const facts = [health.status, health.durability, health.reason].filter(Boolean).join(', ')
      printLine(`${endpoint}  svc ${health.version}  ${coloured(isOk ? 'green' : 'red', facts)}`)
      const { queued_count, running_count, suspended_count, completed_count, failed_count } =
        summary
      printLine(
        `${workspace}  ${queued_count} queued, ${running_count} running, ${suspended_count} suspended`,
      )
      printLine(
        `In the last ${Math.round(summary.recent_seconds / 3_600)} hours: ${completed_count} succeeded, ${failed_count} failed`,
      )
      const slots = workers.reduce((sum, { concurrency }) => sum + concurrency, 0)
      printLine(
        workers.length === 0
          ? coloured('red', 'No worker is alive: queued jobs wait. Start one with `svc worker`.')
          : `${counted(workers.length, 'worker')} with ${counted(slots, 'slot')}`,
      )
    })
    if (!isOk) throw new CommandFailed()
  },
}
