/** `svc build`: checks all functions, bundles them, and writes `functions.yaml`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { stringify } from 'yaml'
import type { BundledFunction } from '#bundle/bundle-functions.ts'
import type { FunctionSource } from '#bundle/function-files.ts'
import { bundleFolder } from '#project/bundle-folder.ts'
import { type ReadFolder, readNamed, showFaults } from '#project/function-folder.ts'
import { loadProject } from '#project/rc-file.ts'
import type { Command } from '../command.ts'
import { jsonOption, printAnswer, printLine } from '../print.ts'

/** Prints warnings to stderr. @throws {AppError} unprocessable */
export const checkCode = (folder: string, read: ReadFolder): Promise<readonly BundledFunction[]> =>
  bundleFolder(folder, read, (warning) => {
    process.stderr.write(`Warning: ${showFaults([warning])}\n`)
  })

/** Repeats shared values instead of writing aliases, which simple YAML parsers do not support. */
const PLAIN = { aliasDuplicateObjects: false }

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

export const command: Command = {
  builder: (yargs) => yargs.option('json', jsonOption).example('$0 build', ''),
  handler: async (flags) => {
    const project = loadProject()
    const bundled = await checkCode(project.folder, readNamed(project.folder))
    const functions = bundled.map(({ source }) => source)
    const index = { app: project.app, functions: functions.map(toIndex) }
    const path = join(project.folder, 'functions.yaml')
    writeFileSync(path, `# Made by \`svc build\`. Do not edit.\n${stringify(index, PLAIN)}`)
    printAnswer(flags, index, () =>
      printLine(
        `${functions.length} ${functions.length === 1 ? 'function is' : 'functions are'} valid. Wrote ${path}.`,
      ),
    )
  },
}
