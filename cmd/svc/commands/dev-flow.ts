/** `svc dev flow <flow>`: runs a flow of this folder's app.yaml in memory; people's answers are given beforehand. */
import type { CommandModule } from 'yargs'
import { jsonOf } from '#core/json/kept-text.ts'
import { pickByKey, readLocalApp } from '#project/app-folder.ts'
import { bundleLocalActions } from '#project/bundle-local-actions.ts'
import { checkFlowInput } from '#project/check-local-input.ts'
import { type LocalRunEnd, type LocalStep, runInMemory } from '#project/effects-in-memory.ts'
import { withLocalActions } from '#project/with-local-actions.ts'
import { inputOption, readInput } from '../input.ts'
import { answerOptions, openLocalApprovals } from '../local-answers.ts'
import { eventOption, openLocalWaits, skipTimeOption } from '../local-waits.ts'
import { coloured, type Flags, jsonOption, printJson, printLine, statusText } from '../print.ts'
import { printStarted } from '../print-started.ts'
import { printWarnings } from '../print-warnings.ts'
import { type RunEnd, runOnChanges, watchOption } from '../run-on-changes.ts'

const printStep = ({ path, kind, status, result, error, log, ms }: LocalStep): void => {
  const name = kind === 'undo' ? `undo of ${path}` : path
  printLine(`${statusText(status)}  ${coloured('bold', name)}  ${coloured('dim', `${ms} ms`)}`)
  for (const line of log.split('\n')) if (line !== '') printLine(`    ${coloured('dim', line)}`)
  const shown = error ?? result
  if (status !== 'skipped') printLine(`    ${jsonOf(shown)}`)
}

const report = (flow: string, end: LocalRunEnd, steps: readonly LocalStep[] | null): void => {
  const { status, result, error } = end
  if (steps === null) {
    printLine(`${statusText(status)}  ${flow}  ${jsonOf(error ?? result)}`)
    return
  }
  const shown = steps.map(({ path, ms, ...step }) => ({ key: path, ...step, duration_ms: ms }))
  printJson({ flow, status, result, error, steps: shown })
}

/** @throws {AppError} the app or an answer has a fault */
const runOnce = async (flags: Flags): Promise<RunEnd> => {
  const app = readLocalApp()
  const { actions, flows } = app.manifest
  const given = flags.flow === undefined ? undefined : String(flags.flow)
  const definition = pickByKey(flows, given, 'flow')
  const input = await readInput(flags.input)
  checkFlowInput(definition, input)
  printWarnings(app.warnings)
  const { waits, warnUnused } = await openLocalWaits(flags)
  const approvals = await openLocalApprovals(flags, waits)
  const bundled = await bundleLocalActions(app, actions)
  const steps: LocalStep[] = []
  const isJson = flags.json === true
  let isStopped = false
  const end = await withLocalActions(
    app,
    async (runtime) => {
      const ended = await runInMemory(
        {
          ...runtime,
          approvals,
          waits,
          actions: bundled,
          flows: new Map(flows.map((flow) => [flow.key, flow])),
          onStep: (step) => (isJson ? void steps.push(step) : printStep(step)),
        },
        { definition, input },
      )
      await runtime.settled()
      isStopped = runtime.signal.aborted
      return ended
    },
    { waits, approvals, ...(isJson ? {} : { onStarted: printStarted }) },
  )
  report(definition.key, end, isJson ? steps : null)
  warnUnused()
  const hasFailed = end.status !== 'completed'
  // they may explain the failure; a deploy prints them in any case
  if (hasFailed) printWarnings([...bundled.values()].flatMap(({ entry }) => entry.warnings))
  return { hasFailed, isStopped }
}

export const devFlowCommand: CommandModule = {
  command: 'flow [flow]',
  describe: 'Run a flow of this folder’s app.yaml without a server',
  builder: (yargs) =>
    yargs
      .positional('flow', { type: 'string', describe: 'Flow key' })
      .option('input', inputOption)
      .options(answerOptions)
      .option('event', eventOption)
      .option('skip-time', skipTimeOption)
      .option('watch', watchOption)
      .option('json', jsonOption)
      .example('$0 dev flow report', '')
      .example('$0 dev flow order --approve \'{"amount":5}\'', 'Approve one step'),
  handler: (flags) => runOnChanges(flags, runOnce),
}
