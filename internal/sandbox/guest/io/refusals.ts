/**
 * Replaces the advice in Deno's errors of missing permissions. Deno advises flags of its command line, which authors of jobs
 * cannot set; these messages state what a job can do instead. Compiled into the guest only.
 */

const ADVICE =
  /, run again with the --allow-(\w+) flag$| --allow-(run) permissions to spawn subprocess .*$/

const REMEDIES: Readonly<Record<string, string>> = {
  read: 'A job reads no files but its own temporary ones: import a file of the app instead, such as with { type: "text" }',
  write: 'A job writes only below os.tmpdir()',
  env: 'A job has no environment and starts no programs: use ctx.variables',
  run: 'A job starts no programs: use a package in JavaScript or WebAssembly',
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

const explain = (message: string): string =>
  explainOwnFile(message) ??
  message.replace(ADVICE, (advice, access: string | undefined, run: string | undefined) => {
    const remedy = REMEDIES[access ?? run ?? '']
    return remedy === undefined
      ? advice
      : `${access === undefined ? ' run access' : ''}. ${remedy}.`
  })

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
