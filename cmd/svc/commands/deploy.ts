/**
 * `svc deploy`: in a folder with an app.yaml, deploys all of it at once [functions 15.11]. With names or flags of functions,
 * and in other folders, it deploys only functions: the named, the changed, or all [functions 15.5]. The folder is the current
 * one, or that of a path.
 */
import process from 'node:process'
import type { BundledFunction } from '#bundle/bundle-functions.ts'
import { AppError } from '#core/error.ts'
import { readDeployState, recordDeploy, writeDeployState } from '#project/deploy-state.ts'
import { listFunctionNames, readNamed } from '#project/function-folder.ts'
import { hasManifest } from '#project/near-app.ts'
import { loadProject, type Project } from '#project/rc-file.ts'
import { type DeployAnswer, uploadFunctions } from '#project/upload-functions.ts'
import type { Command } from '../command.ts'
import { textOption } from '../command-arguments.ts'
import { deployPlace, hintOfFolder } from '../deploy-place.ts'
import { deployProject } from '../deploy-project.ts'
import { UsageError } from '../exit.ts'
import { coloured, jsonOption, printAnswer, printLine } from '../print.ts'
import { yesOption } from '../print-changes.ts'
import { checkCode } from './build.ts'

export const command: Command = {
  builder: (yargs) =>
    yargs
      .positional('functions', {
        type: 'string',
        array: true,
        describe: 'Function names, or the path of a folder',
      })
      .option('all', {
        type: 'boolean',
        default: false,
        describe: 'Deploy unchanged functions too',
      })
      .option('changed', {
        type: 'boolean',
        default: false,
        describe: 'Deploy only functions that changed since their last deployment from here',
      })
      .option('dry-run', {
        type: 'boolean',
        default: false,
        describe: 'Print the plan without deploying',
      })
      .option('yes', yesOption)
      .option('message', textOption('Message to record with the deployment'))
      .option('json', jsonOption)
      .example('$0 deploy --dry-run', 'Show what would change')
      .example('$0 deploy --changed', '')
      .example('$0 deploy ./shop', 'Deploy another folder'),
  handler: async (flags) => {
    const words = Array.isArray(flags.functions) ? flags.functions.map(String) : []
    const { folder, names } = deployPlace(words)
    if (flags.all === true && (flags.changed === true || names.length > 0)) {
      throw new UsageError('--all cannot be combined with --changed or with names.')
    }
    if (names.length === 0 && flags.all !== true && flags.changed !== true && hasManifest(folder)) {
      return deployProject(flags, folder)
    }
    if (flags['dry-run'] === true) {
      throw new UsageError('--dry-run works only for a whole folder with an app.yaml.')
    }
    checkNames(folder, names)
    const project = loadProject(folder)
    const state = readDeployState(project)
    const read = await checkCode(project.folder, readNamed(project.folder, names))
    const isChanged = ({ source: { name, hash } }: BundledFunction): boolean =>
      state.functions[name]?.hash !== hash
    const functions = flags.changed === true ? read.filter(isChanged) : read
    if (functions.length === 0) {
      const why = read.length === 0 ? 'There are no functions here.' : 'Nothing has changed.'
      const none = { deployed: [], skipped: read.map(({ source }) => source.name) }
      return printAnswer(flags, none, () => printLine(why))
    }
    const { before, answer: done } = await uploadFunctions(
      { project, functions, force: flags.all === true },
      () => void process.stderr.write(`Created the app ${project.app}.\n`),
    )
    const known = functions.map(({ source: { name, hash } }) => ({ name, hash }))
    const kept = known.filter(({ name }) => isOn(done, name))
    writeDeployState(project, recordDeploy(state, kept, new Date().toISOString()))
    printAnswer(flags, done, () => report(project, done, before))
  },
}

/**
 * Checks names before the folder's connection, because a wrong name is the likelier mistake
 * if `svc deploy` without names deploys everything.
 */
const checkNames = (folder: string, names: readonly string[]): void => {
  const here = listFunctionNames(folder)
  const unknown = names.filter((name) => !here.includes(name))
  if (unknown.length === 0) return
  const hint = hintOfFolder(folder, unknown)
  if (hint === '' && !hasManifest(folder)) return
  const there = here.length === 0 ? 'It has no functions' : `It has ${here.join(', ')}`
  const whole = hint === '' ? ' `svc deploy` without names deploys the whole folder.' : hint
  throw new AppError(
    'not_found',
    `This folder has no function ${unknown.join(', ')}. ${there}.${whole}`,
  )
}

const isOn = ({ deployed, skipped }: DeployAnswer, name: string): boolean =>
  deployed.some((each) => each.name === name) || skipped.includes(name)

const report = (
  { app, folder }: Project,
  { deployed, skipped }: DeployAnswer,
  before: ReadonlyMap<string, string>,
): void => {
  for (const { name, hash } of deployed) {
    const former = before.get(name)
    const how = former === hash ? 'unchanged' : former === undefined ? 'added' : 'changed'
    const mark = coloured('green', '✓')
    printLine(`${mark} ${app}/${name}  ${how}  ${coloured('dim', hash.slice(0, 12))}`)
  }
  if (skipped.length > 0) printLine(`Unchanged: ${skipped.join(', ')}`)
  const here = new Set(listFunctionNames(folder))
  const elsewhere = [...before.keys()].filter((name) => !here.has(name))
  if (elsewhere.length > 0) printLine(`On the server only, unchanged: ${elsewhere.join(', ')}`)
}
