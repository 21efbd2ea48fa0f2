/** `svc dev send <name>`: runs the targets that this folder's app.yaml starts by an event. */
import type { CommandModule } from 'yargs'
import { invalid } from '#core/error.ts'
import { eventName } from '#core/event/event.ts'
import { readLocalApp } from '#project/app-folder.ts'
import type { LocalStarted } from '#project/local-starts.ts'
import { withLocalActions } from '#project/with-local-actions.ts'
import { textOption } from '../command-arguments.ts'
import { CommandFailed, UsageError } from '../exit.ts'
import { readJson } from '../input.ts'
import { answerOptions, openLocalApprovals } from '../local-answers.ts'
import { eventOption, openLocalWaits, skipTimeOption } from '../local-waits.ts'
import { jsonOption, printJson } from '../print.ts'
import { printStarted, startedView } from '../print-started.ts'

export const devSendCommand: CommandModule = {
  command: 'send <name>',
  describe: 'Send an event to the triggers of this folder’s app.yaml, without a server',
  builder: (yargs) =>
    yargs
      .positional('name', { type: 'string', describe: 'Event name, such as order.paid' })
      .option('key', textOption('Event key, such as an order ID'))
      .option('data', textOption('Event data: JSON, @file, or - for standard input'))
      .options(answerOptions)
      .option('event', eventOption)
      .option('skip-time', skipTimeOption)
      .option('json', jsonOption)
      .example('$0 dev send order.paid --data \'{"amount":20}\'', ''),
  handler: async (flags) => {
    const name = String(flags.name)
    if (!eventName.safeParse(name).success)
      throw new UsageError(`"${name}" is not a valid event name.`)
    const app = readLocalApp()
    const names = [...new Set(app.manifest.events.map((each) => each.name))]
    if (!names.includes(name)) {
      const there = names.length === 0 ? 'It has no events.' : `It has ${names.join(', ')}.`
      throw invalid(`The app.yaml of this folder has no trigger for ${name}. ${there}`)
    }
    const key = flags.key === undefined ? null : String(flags.key)
    const data = flags.data === undefined ? null : await readJson(flags.data, 'data')
    const ended: LocalStarted[] = []
    const isJson = flags.json === true
    const { waits, warnUnused } = await openLocalWaits(flags)
    const approvals = await openLocalApprovals(flags, waits)
    const { delivered, targets } = await withLocalActions(
      app,
      ({ starts }) => starts.send({ name, key, data }),
      {
        waits,
        approvals,
        onStarted: (each) => {
          ended.push(each)
          if (!isJson) printStarted(each)
        },
      },
    )
    warnUnused()
    if (isJson) printJson({ event: name, delivered, started: ended.map(startedView) })
    // as with `svc dev run`, what a target starts does not decide the exit code
    const own = ended.filter(({ id }) => targets.includes(id))
    if (own.some(({ outcome }) => outcome.kind !== 'success')) throw new CommandFailed()
  },
}
