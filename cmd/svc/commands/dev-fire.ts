/** `svc dev fire <schedule>`: starts the target of a schedule in this folder's app.yaml now. */
import type { CommandModule } from 'yargs'
import { pickByKey, readLocalApp } from '#project/app-folder.ts'
import { fireSchedule } from '#project/dev-schedules.ts'
import type { LocalStarted } from '#project/local-starts.ts'
import { withLocalActions } from '#project/with-local-actions.ts'
import { CommandFailed } from '../exit.ts'
import { answerOptions, openLocalApprovals } from '../local-answers.ts'
import { eventOption, openLocalWaits, skipTimeOption } from '../local-waits.ts'
import { jsonOption, printJson } from '../print.ts'
import { printStarted, startedView } from '../print-started.ts'

export const devFireCommand: CommandModule = {
  command: 'fire [schedule]',
  describe: 'Fire a schedule of this folder’s app.yaml now, without a server',
  builder: (yargs) =>
    yargs
      .positional('schedule', { type: 'string', describe: 'Schedule key' })
      .options(answerOptions)
      .option('event', eventOption)
      .option('skip-time', skipTimeOption)
      .option('json', jsonOption)
      .example('$0 dev fire nightly', ''),
  handler: async (flags) => {
    const app = readLocalApp()
    const given = flags.schedule === undefined ? undefined : String(flags.schedule)
    const schedule = pickByKey(app.manifest.schedules, given, 'schedule')
    const started: LocalStarted[] = []
    const isJson = flags.json === true
    const { waits, warnUnused } = await openLocalWaits(flags)
    const approvals = await openLocalApprovals(flags, waits)
    const outcome = await withLocalActions(
      app,
      async ({ starts }) => (await fireSchedule(starts, schedule, Date.now())).ended,
      {
        waits,
        approvals,
        onStarted: (each) => (isJson ? void started.push(each) : printStarted(each)),
      },
    )
    warnUnused()
    if (isJson) {
      const { key } = schedule
      printJson({ schedule: key, status: outcome.kind, started: started.map(startedView) })
    }
    if (outcome.kind !== 'success') throw new CommandFailed()
  },
}
