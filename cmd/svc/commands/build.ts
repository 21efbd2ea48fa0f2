/** `svc build`: checks all functions, bundles them, and writes `functions.yaml`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { stringify } from 'yaml'
import type { CommandModule } from 'yargs'
import { type BundledFunction, bundleFunctions } from '#bundle/bundle-functions.ts'
import type { FunctionSource } from '#bundle/function-files.ts'
import { AppError, unprocessable } from '#core/error.ts'
import { readValid, showFaults } from '#project/function-folder.ts'
import { loadProject } from '#project/rc-file.ts'
import { readSharedFiles } from '#project/shared-files.ts'
import { printJson, printLine } from '../print.ts'

/** Of every function; bundling finds what only the code can tell. Warnings go to stderr. @throws {AppError} unprocessable */
export const checkCode = async (
  folder: string,
  functions: readonly FunctionSource[],
): Promise<readonly BundledFunction[]> => {
  try {
    const bundled = await bundleFunctions(functions, readSharedFiles(folder))
    const warnings = bundled.flatMap(({ entry }) => entry.warnings)
    for (const warning of warnings) process.stderr.write(`Warning: ${showFaults([warning])}\n`)
    return bundled
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error
    throw unprocessable(showFaults(error.details), { cause: error })
  }
}

const toIndex = ({ name, definition, hash, files }: FunctionSource) => ({
  name,
  path: `/${name}`,
  description: definition.description,
  methods: definition.methods,
  tags: definition.tags,
  timeoutS: definition.timeoutS,
  files: [...files.keys()].toSorted(),
  hash,
})

export const buildCommand: CommandModule = {
  command: 'build',
  describe: 'Check the functions and write functions.yaml',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 build', ''),
  handler: async (flags) => {
    const project = loadProject()
    const bundled = await checkCode(project.folder, readValid(project.folder))
    const functions = bundled.map(({ source }) => source)
    const index = { app: project.app, functions: functions.map(toIndex) }
    const path = join(project.folder, 'functions.yaml')
    writeFileSync(path, `# Made by \`svc build\`. Do not edit.\n${stringify(index)}`)
    if (flags.json === true) printJson(index)
    else printLine(`${functions.length} functions are fine. Wrote ${path}.`)
  },
}
