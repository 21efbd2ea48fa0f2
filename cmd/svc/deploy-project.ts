/** `svc deploy` in a folder with an app.yaml: prints the plan, asks before a removal, and deploys everything. */
import { shortCommit } from '#core/deploy/short-commit.ts'
import { type DeployStage, planFolder } from '#project/deploy-folder.ts'
import { coloured, type Flags, printAnswer, printJson, printLine, showProgress } from './print.ts'
import { confirmRemoval, type DeploymentChanges, printChanges } from './print-changes.ts'
import { printWarnings } from './print-warnings.ts'

const summaryOf = ({ added, changed, removed }: DeploymentChanges): string =>
  added.length + changed.length + removed.length === 0
    ? 'No changes to actions, flows, webhooks, schedules, events or functions.'
    : `Plan: ${added.length} to add, ${changed.length} to change, ${removed.length} to remove.`

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

const stageText = (stage: DeployStage): string => {
  if (stage.kind === 'pack') return 'Packing the folder …'
  const work = stage.kind === 'plan' ? 'planning' : 'building'
  return `Sending ${sizeText(stage.archiveBytes)}, ${work} on the server …`
}

/** Shows the stage while `work` continues. */
const whileShown = <T>(work: Promise<T>): Promise<T> => work.finally(() => showProgress(''))

/** @throws {AppError} faults of the folder; conflict `would_remove`; the server refused, or was not reached */
export const deployProject = async (flags: Flags, folder: string): Promise<void> => {
  const { plan, deploy } = await whileShown(
    planFolder(folder, (stage) => showProgress(stageText(stage))),
  )
  printWarnings(plan.warnings)
  if (flags.json !== true) {
    printChanges(plan)
    printLine(summaryOf(plan))
  }
  if (flags['dry-run'] === true) {
    if (flags.json === true) printJson({ ...plan, dry_run: true })
    return
  }
  if (flags.yes !== true) await confirmRemoval(plan)
  const made = await whileShown(deploy(flags.message === undefined ? null : String(flags.message)))
  const { added, changed, removed } = plan
  printAnswer(flags, { ...made, added, changed, removed }, () => {
    const commit = shortCommit(made.commit)
    printLine(`${coloured('green', '✓')} ${made.app} is at ${commit}: ${made.deployment_id}`)
  })
}
