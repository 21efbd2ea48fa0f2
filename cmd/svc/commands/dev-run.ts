/** `svc dev run <action>`: runs one action of this folder's app.yaml in a worker's sandbox, without a server. */
import process from 'node:process'
import type { CommandModule } from 'yargs'
import { pickByKey, readLocalApp } from '#project/app-folder.ts'
import { bundleLocalActions } from '#project/bundle-local-actions.ts'
import { checkActionInput } from '#project/check-local-input.ts'
import type { LocalEnd } from '#project/local-actions.ts'
import type { LocalStarted } from '#project/local-starts.ts'
import { withLocalActions } from '#project/with-local-actions.ts'
import { inputOption, readInput } from '../input.ts'
import { answerOptions, openLocalApprovals } from '../local-answers.ts'
import { eventOption, openLocalWaits, skipTimeOption } from '../local-waits.ts'
import { coloured, type Flags, jsonOption, printJson, printLine, statusText } from '../print.ts'
import { printStarted, startedView } from '../print-started.ts'
import { printWarnings } from '../print-warnings.ts'
import { type RunEnd, runOnChanges, watchOption } from '../run-on-changes.ts'

const reportJson = (
  action: string,
  { outcome, log, ms }: LocalEnd,
  started: readonly LocalStarted[],
): void => {
  const result = outcome.kind === 'success' ? outcome.value : outcome.error
  const own = { action, status: outcome.kind, result, log, duration_ms: ms }
  printJson({ ...own, started: started.map(startedView) })
}

const report = ({ outcome, log, ms }: LocalEnd): void => {
  const result = outcome.kind === 'success' ? outcome.value : outcome.error
  // the log may not end with a line break
  if (log !== '' && !log.endsWith('\n')) printLine('')
  const took = coloured('dim', `${ms} ms`)
  printLine(`${statusText(outcome.kind)}  ${JSON.stringify(result)}  ${took}`)
}

/** @throws {AppError} the app or the input has a fault */
const runOnce = async (flags: Flags): Promise<RunEnd> => {
  const app = readLocalApp()
  const given = flags.action === undefined ? undefined : String(flags.action)
  const definition = pickByKey(app.manifest.actions, given, 'action')
  const input = await readInput(flags.input)
  const isJson = flags.json === true
  const action = (await bundleLocalActions(app, [definition])).get(definition.key)
  if (action === undefined) throw new Error(`The action ${definition.key} was not bundled.`)
  checkActionInput(action.definition, input)
  const at = ` actions[${app.manifest.actions.indexOf(definition)}]`
  printWarnings(app.warnings.filter(({ path }) => path.includes(at)))
  const started: LocalStarted[] = []
  const { waits, warnUnused } = await openLocalWaits(flags)
  const approvals = await openLocalApprovals(flags, waits)
  let isStopped = false
  const end = await withLocalActions(
    app,
    async ({ runner, signal, settled }) => {
      const ended = await runner.run({
        action,
        input,
        signal,
        ...(isJson ? {} : { onLog: (text: string) => void process.stdout.write(text) }),
      })
      if (!isJson) report(ended)
      await settled()
      isStopped = signal.aborted
      return ended
    },
    {
      waits,
      approvals,
      onStarted: (each) => (isJson ? void started.push(each) : printStarted(each)),
    },
  )
  if (isJson) reportJson(definition.key, end, started)
  warnUnused()
  const hasFailed = end.outcome.kind !== 'success'
  // they may explain the failure; a deploy prints them in any case
  if (hasFailed) printWarnings(action.entry.warnings)
  return { hasFailed, isStopped }
}

export const devRunCommand: CommandModule = {
  command: 'run [action]',
  describe: 'Run an action of this folder’s app.yaml without a server',
  builder: (yargs) =>
    yargs
      .positional('action', { type: 'string', describe: 'Action key' })
      .option('input', inputOption)
      .options(answerOptions)
      .option('event', eventOption)
      .option('skip-time', skipTimeOption)
      .option('watch', watchOption)
      .option('json', jsonOption)
      .example('$0 dev run greet --input \'{"name":"Ada"}\'', '')
      .example('$0 dev run greet --watch --input @greet.json', 'Run it after each change'),
  handler: (flags) => runOnChanges(flags, runOnce),
}
