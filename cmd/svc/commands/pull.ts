/** `svc pull [app]`: writes an app's functions to disk, with `.svcrc` and the deployed versions. */
import { resolve } from 'node:path'
import { pullFunctions } from '#project/pull-functions.ts'
import type { Command } from '../command.ts'
import { jsonOption, printAnswer, printLine } from '../print.ts'

export const command: Command = {
  builder: (yargs) =>
    yargs
      .positional('app', {
        type: 'string',
        describe: 'App key or name (default: the app of the folder, else the first one)',
      })
      .option('dir', {
        type: 'string',
        default: '.',
        requiresArg: true,
        describe: 'Destination folder',
      })
      .option('force', {
        type: 'boolean',
        default: false,
        describe: 'Overwrite local changes',
      })
      .option('json', jsonOption)
      .example('$0 pull hello --dir hello', ''),
  handler: async (flags) => {
    const folder = resolve(String(flags.dir))
    const wanted = flags.app === undefined ? undefined : String(flags.app)
    const { app, rc, names } = await pullFunctions({ folder, wanted, force: flags.force === true })
    printAnswer(flags, { app, folder, functions: names }, () => {
      const what = names.length === 0 ? 'no functions yet' : names.join(', ')
      printLine(`Pulled ${app} into ${folder}: ${what}.`)
      printLine(`${rc} names the app. Next: svc dev, or svc templates.`)
    })
  },
}
