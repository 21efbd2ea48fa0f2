/** `svc init [name]`: creates a project [functions 15.10]. */
import { relative } from 'node:path'
import { findEndpoint, hasCredentials } from '#cli-client/credentials.ts'
import { createProject } from '#project/create-project.ts'
import { PROJECT_TEMPLATES, type ProjectTemplate, sdkAddress } from '#project/project-templates.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../exit.ts'
import { coloured, jsonOption, printAnswer, printLine } from '../print.ts'

/** @throws {UsageError} */
const find = (wanted: string): ProjectTemplate => {
  const found = PROJECT_TEMPLATES.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  const lines = PROJECT_TEMPLATES.map(({ name, describe }) => `  ${name.padEnd(18)}${describe}`)
  throw new UsageError(`There is no template "${wanted}". There are:\n${lines.join('\n')}`)
}

export const command: Command = {
  builder: (yargs) =>
    yargs
      .positional('name', { type: 'string', describe: 'Name of the app and its folder' })
      .option('template', {
        type: 'string',
        default: 'action',
        requiresArg: true,
        describe: 'action, flow, webhook, schedule, or a template of `svc templates`',
      })
      .option('json', jsonOption)
      .example('$0 init shop', 'Create ./shop')
      .example('$0 init shop --template flow', ''),
  handler: (flags) => {
    const template = find(String(flags.template))
    const endpoint = findEndpoint()
    const made = createProject({
      template,
      name: flags.name === undefined ? null : String(flags.name),
      endpoint,
    })
    const folder = relative('.', made.folder)
    printAnswer(flags, { ...made, template: template.name }, () => {
      printLine(`Created ${folder === '' ? 'the app here' : folder} with ${made.files.join(', ')}.`)
      if (folder !== '') printLine(`Next: ${coloured('bold', `cd ${folder}`)}`)
      printLine(`Try it: ${coloured('bold', template.tryIt)}`)
      const isNew = made.files.includes('package.json')
      const install = `npm install${isNew ? '' : ` --save-dev ${sdkAddress(endpoint)}`}`
      printLine(`Get types for your editor and tests: ${coloured('bold', install)}`)
      const login = hasCredentials() ? '' : `${coloured('bold', 'svc login')}, then `
      printLine(`Deploy it: ${login}${coloured('bold', 'svc deploy')}`)
    })
  },
}
