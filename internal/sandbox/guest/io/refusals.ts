/**
 * Replaces the advice in Deno's errors of missing permissions. Deno advises flags of its command line, which authors of jobs
 * cannot set; these messages state what a job can do instead. Compiled into the guest only.
 */

import { ASKED_BY_PROGRAMS } from './environment.ts'

const ADVICE =
  /, run again with the --allow-(\w+) flag$| --allow-(run) permissions to spawn subprocess .*$/

const NO_PROGRAMS = 'A job starts no programs: use a package in JavaScript or WebAssembly'

const REMEDIES: Readonly<Record<string, string>> = {
  read: 'A job reads no files but its own temporary ones: import a file of the app instead, such as with { type: "text" }',
  write: 'A job writes only below os.tmpdir()',
  env: 'A job has no environment: use ctx.variables',
  run: NO_PROGRAMS,
  ffi: 'A job loads no native code: use a package in JavaScript or WebAssembly',
  net: 'A job reaches public addresses, and private ones that `network` of its action lists and an operator grants',
  sys: 'A job gets no facts of its machine: node:os has fixed ones',
}

/** Modules get the place of their file in the app (bundle/module-place.ts), but a job has no such folder. */
const OWN_FILE =
  /^Requires read access to "\/app\/(?:[^"]*\/)?node_modules\/((?:@[^/"]+\/)?[^/"]+)\//

const explainOwnFile = (message: string): string | undefined => {
  const [, name] = OWN_FILE.exec(message) ?? []
  return name === undefined
    ? undefined
    : message.replace(
        ADVICE,
        `. "${name}" reads files of its package, which a job does not have. Use another package.`,
      )
}

const explainAccess = (message: string): string =>
  message.replace(ADVICE, (advice, access: string | undefined, run: string | undefined) => {
    const remedy = REMEDIES[access ?? run ?? '']
    return remedy === undefined
      ? advice
      : `${access === undefined ? ' run access' : ''}. ${remedy}.`
  })

const explain = (message: string): string =>
  message.startsWith(`Requires env access to "${ASKED_BY_PROGRAMS}"`)
    ? `${NO_PROGRAMS}.`
    : (explainOwnFile(message) ?? explainAccess(message))

export type ErrorClass = new (message?: string) => Error

/** Deno creates these errors itself, so this replaces the class that their class extends. */
export const explainRefusals = (notCapable: ErrorClass): void => {
  Object.setPrototypeOf(
    notCapable,
    class extends Error {
      constructor(message = '') {
        super(explain(message))
      }
    },
  )
}
