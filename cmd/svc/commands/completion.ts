/** `svc completion [shell]`: prints the completion script for a shell. */
import { basename } from 'node:path'
import process from 'node:process'
import { environmentValue } from '#config/remote-environment.ts'
import { addUsage, type Command } from '../command.ts'
import { COMPLETION_SCRIPTS, type Shell } from '../completion-scripts.ts'
import { UsageError } from '../exit.ts'

const SHELLS = Object.keys(COMPLETION_SCRIPTS)

const isShell = (name: string): name is Shell => Object.hasOwn(COMPLETION_SCRIPTS, name)

export const command: Command = {
  builder: (yargs) =>
    addUsage(yargs, {
      positionals: { shell: `${SHELLS.join(', ')} (default: from SHELL)` },
      examples: [
        ['$0 completion bash >> ~/.bashrc', ''],
        ['$0 completion zsh >> ~/.zshrc', ''],
        ['$0 completion fish > ~/.config/fish/completions/svc.fish', ''],
      ],
    }),
  handler: ({ shell }) => {
    const name = shell === undefined ? basename(environmentValue('SHELL') ?? '') : String(shell)
    if (isShell(name)) process.stdout.write(COMPLETION_SCRIPTS[name])
    else throw new UsageError(`Name one of the supported shells: ${SHELLS.join(', ')}.`)
  },
}
